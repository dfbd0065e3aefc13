/* SPDX-License-Identifier: MIT */
/*
 * Expressions from the comma down to casts and unary operators (ast_parse_primary.c has the rest).
 * Chains grow in loops, not by recursion: the left operands of binary operators wait on a stack
 * with at most one entry a precedence level; the arms of a conditional chain wait for their last
 * one. So only parentheses, unary operators and chained assignments nest.
 */
#include "analyzer/base/check.h"
#include "analyzer/syntax/ast_parse_internal.h"

/* ---- binary operators --------------------------------------------------------------------------
 */

enum { MAX_PRECEDENCE = 10 };

struct binary_operator {
    enum ast_kind kind;
    enum ast_op op;
    int precedence; /* 0: no binary operator */
};

static const struct binary_operator binary_operators[P_CODE_COUNT] = {
    [P_OR_OR] = {AST_OR_OR, OP_NONE, 1},  [P_AND_AND] = {AST_AND_AND, OP_NONE, 2},
    [P_OR] = {AST_BINARY, OP_OR, 3},      [P_XOR] = {AST_BINARY, OP_XOR, 4},
    [P_AND] = {AST_BINARY, OP_AND, 5},    [P_EQ] = {AST_BINARY, OP_EQ, 6},
    [P_NE] = {AST_BINARY, OP_NE, 6},      [P_LT] = {AST_BINARY, OP_LT, 7},
    [P_GT] = {AST_BINARY, OP_GT, 7},      [P_LE] = {AST_BINARY, OP_LE, 7},
    [P_GE] = {AST_BINARY, OP_GE, 7},      [P_SHL] = {AST_BINARY, OP_SHL, 8},
    [P_SHR] = {AST_BINARY, OP_SHR, 8},    [P_PLUS] = {AST_BINARY, OP_ADD, 9},
    [P_MINUS] = {AST_BINARY, OP_SUB, 9},  [P_STAR] = {AST_BINARY, OP_MUL, 10},
    [P_SLASH] = {AST_BINARY, OP_DIV, 10}, [P_PERCENT] = {AST_BINARY, OP_MOD, 10},
};

static struct binary_operator binary_operator(uint16_t code)
{
    return binary_operators[code < P_CODE_COUNT ? code : P_NONE];
}

struct pending_operand {
    ast_node *left;
    struct binary_operator by;
};

static ast_node *join_binary(struct parser *p, const struct pending_operand *left, ast_node *right)
{
    ast_node *n = parser_node2(p, left->by.kind, left->left, right);
    n->op = (uint8_t)left->by.op;
    n->last = right->last;
    n->is_const_expr = left->left->is_const_expr && right->is_const_expr;
    return n;
}

static ast_node *parse_binary(struct parser *p)
{
    struct pending_operand pending[MAX_PRECEDENCE]; /* of rising precedence */
    int count = 0;
    for (;;) {
        ast_node *operand = parse_cast(p);
        struct binary_operator next = binary_operator(parser_code(p));
        while (count != 0 && pending[count - 1].by.precedence >= next.precedence)
            operand = join_binary(p, &pending[--count], operand);
        if (next.precedence == 0)
            return operand;
        pending[count++] = (struct pending_operand){operand, next};
        parser_advance(p);
    }
}

/* ---- conditional, assignment, comma ------------------------------------------------------------
 */

static ast_node *join_conditional(struct parser *p, ast_node *condition, ast_node *then,
                                  ast_node *otherwise)
{
    size_t mark = parser_mark(p);
    parser_push(p, condition);
    parser_push(p, then);
    parser_push(p, otherwise);
    ast_node *n = parser_finish(p, parser_node(p, AST_CONDITIONAL, condition->first), mark);
    n->is_const_expr = condition->is_const_expr && (then == NULL || then->is_const_expr) &&
                       otherwise->is_const_expr;
    return n;
}

/* The middle of `a ? b : c`; none in GNU `a ?: c`. */
static ast_node *parse_then(struct parser *p)
{
    ast_node *then = NULL;
    if (!parser_at(p, P_COLON)) {
        if (parser_enter(p))
            then = parse_expression(p);
        parser_leave(p);
    }
    parser_expect(p, P_COLON, "expected ':' of a conditional expression");
    return then;
}

ast_node *parse_conditional(struct parser *p)
{
    size_t mark = parser_mark(p);
    ast_node *last = parse_binary(p);
    while (parser_accept(p, P_QUESTION)) {
        parser_push(p, last);
        parser_push(p, parse_then(p));
        last = parse_binary(p);
    }
    while (p->stack.count > mark) {
        ast_node *then = p->stack.at[p->stack.count - 1];
        ast_node *condition = p->stack.at[p->stack.count - 2];
        p->stack.count -= 2;
        last = join_conditional(p, condition, then, last);
    }
    return last;
}

static const enum ast_op assignment_operators[P_CODE_COUNT] = {
    [P_ASSIGN] = OP_ASSIGN,  [P_MUL_ASSIGN] = OP_MUL, [P_DIV_ASSIGN] = OP_DIV,
    [P_MOD_ASSIGN] = OP_MOD, [P_ADD_ASSIGN] = OP_ADD, [P_SUB_ASSIGN] = OP_SUB,
    [P_SHL_ASSIGN] = OP_SHL, [P_SHR_ASSIGN] = OP_SHR, [P_AND_ASSIGN] = OP_AND,
    [P_XOR_ASSIGN] = OP_XOR, [P_OR_ASSIGN] = OP_OR,
};

ast_node *parse_assignment(struct parser *p)
{
    ast_node *left = parse_conditional(p);
    uint16_t code = parser_code(p);
    enum ast_op op = code < P_CODE_COUNT ? assignment_operators[code] : OP_NONE;
    if (op == OP_NONE)
        return left;
    parser_advance(p);
    ast_node *n = left;
    if (parser_enter(p)) {
        n = parser_node2(p, AST_ASSIGN, left, parse_assignment(p));
        n->op = (uint8_t)op;
    }
    parser_leave(p);
    return n;
}

ast_node *parse_expression(struct parser *p)
{
    ast_node *n = parse_assignment(p);
    while (parser_accept(p, P_COMMA))
        n = parser_node2(p, AST_COMMA, n, parse_assignment(p));
    return n;
}

/* ---- unary operators, casts ---------------------------------------------------------------------
 */

static enum ast_op unary_operator(uint16_t code)
{
    static const enum ast_op operators[] = {
        [P_AND] = OP_ADDR,    [P_STAR] = OP_DEREF,   [P_PLUS] = OP_PLUS,
        [P_MINUS] = OP_MINUS, [P_TILDE] = OP_BITNOT, [P_NOT] = OP_NOT,
        [KW_REAL] = OP_REAL,  [KW_IMAG] = OP_IMAG,   [KW_EXTENSION] = OP_EXTENSION,
    };
    return code < COUNTOF(operators) ? operators[code] : OP_NONE;
}

static ast_node *parse_label_address(struct parser *p)
{
    ast_node *n = parser_node(p, AST_LABEL_ADDR, p->pos);
    parser_advance(p);
    n->name_token = parser_take_name(p, "expected a label after &&");
    n->last = p->prev_end;
    n->is_const_expr = true;
    if (!p->failed) {
        n->ref = scope_label(p, n->name_token);
        VEC_PUSH(p->mem, &p->label_uses, n);
    }
    return n;
}

/* sizeof and alignof; after `(` a type name decides, and `{` after its `)` takes that back. */
static ast_node *parse_sizeof(struct parser *p)
{
    uint32_t first = p->pos;
    ast_node *n;
    parser_advance(p);
    p->unevaluated++;
    uint32_t paren = p->pos;
    if (parser_at(p, P_LPAREN) && parse_starts_type(p, parser_next(p, paren))) {
        parser_advance(p);
        ast_node *type = parse_type_name(p);
        parser_expect(p, P_RPAREN, "expected ')' after a type name");
        if (parser_at(p, P_LBRACE))
            n = parser_node1(p, AST_SIZEOF_EXPR, first,
                             parse_postfix_tail(p, parse_compound_literal(p, paren, type)));
        else
            n = parser_node1(p, AST_SIZEOF_TYPE, first, type);
    } else {
        n = parser_node1(p, AST_SIZEOF_EXPR, first, parse_unary(p));
    }
    p->unevaluated--;
    n->is_unevaluated = p->unevaluated != 0;
    n->is_const_expr = true;
    return n;
}

static ast_node *parse_prefix(struct parser *p, uint16_t code)
{
    uint32_t first = p->pos;
    parser_advance(p);
    if (code == P_INC || code == P_DEC) {
        ast_node *n = parser_node1(p, AST_PREFIX, first, parse_unary(p));
        n->op = code == P_INC ? OP_INC : OP_DEC;
        return n;
    }
    if (code == KW_AWAIT)
        return parser_node1(p, AST_AWAIT, first, parse_cast(p));
    ast_node *operand = parse_cast(p);
    ast_node *n = parser_node1(p, AST_UNARY, first, operand);
    n->op = (uint8_t)unary_operator(code);
    n->is_const_expr = operand->is_const_expr && n->op != OP_DEREF;
    return n;
}

ast_node *parse_unary(struct parser *p)
{
    uint16_t code = parser_code(p);
    bool is_prefix =
        code == P_INC || code == P_DEC || code == KW_AWAIT || unary_operator(code) != OP_NONE;
    if (code == P_AND_AND)
        return parse_label_address(p);
    if (!is_prefix && code != KW_SIZEOF && code != KW_ALIGNOF)
        return parse_postfix(p);
    ast_node *n;
    if (!parser_enter(p))
        n = parser_node(p, AST_NUMBER, p->pos);
    else if (is_prefix)
        n = parse_prefix(p, code);
    else
        n = parse_sizeof(p);
    parser_leave(p);
    return n;
}

/* Is a cast to this type a constant for a constant operand? Not if an array's size is computed. */
static bool is_constant_type(const ast_node *type_name)
{
    const ast_node *d = type_name->kid[1];
    for (uint32_t i = 0; d != NULL && i < d->kid_count; i++) {
        const ast_node *part = d->kid[i];
        if (part != NULL && part->kind == AST_ARRAY_BOUND && part->kid[0] != NULL &&
            !part->kid[0]->is_const_expr)
            return false;
    }
    return true;
}

static ast_node *parse_typed(struct parser *p)
{
    size_t mark = parser_mark(p);
    uint32_t first = p->pos;
    parser_advance(p);
    ast_node *type = parse_type_name(p);
    parser_expect(p, P_RPAREN, "expected ')' after a type name");
    if (parser_at(p, P_LBRACE))
        return parse_postfix_tail(p, parse_compound_literal(p, first, type));
    ast_node *operand = parse_cast(p);
    parser_push(p, type);
    parser_push(p, operand);
    ast_node *n = parser_finish(p, parser_node(p, AST_CAST, first), mark);
    n->is_const_expr = operand->is_const_expr && is_constant_type(type);
    return n;
}

ast_node *parse_cast(struct parser *p)
{
    if (p->tokens[p->pos].code != P_LPAREN || !parse_starts_type(p, parser_next(p, p->pos)))
        return parse_unary(p);
    ast_node *n;
    if (parser_enter(p))
        n = parse_typed(p);
    else
        n = parser_node(p, AST_NUMBER, p->pos);
    parser_leave(p);
    return n;
}
