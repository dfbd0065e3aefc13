/* SPDX-License-Identifier: MIT */
/*
 * Primary expressions and what follows them: calls, subscripts, members. The builtins whose
 * arguments are types or members have their own nodes; other builtins are calls, and so are macros
 * that were left unexpanded: any argument of a call may be a type name.
 */
#include "analyzer/syntax/ast_parse_internal.h"

#include "analyzer/base/check.h"

/* ---- leaves ------------------------------------------------------------------------------------
 */

static ast_node *parse_leaf(struct parser *p, enum ast_kind kind)
{
    uint32_t first = p->pos;
    parser_advance(p);
    ast_node *n = parser_node(p, kind, first);
    n->is_const_expr = true;
    return n;
}

ast_node *parse_string(struct parser *p)
{
    uint32_t first = p->pos;
    if (p->tokens[p->pos].kind != TOKEN_STRING)
        parser_fail(p, "expected a string literal");
    while (p->tokens[p->pos].kind == TOKEN_STRING)
        parser_advance(p);
    ast_node *n = parser_node(p, AST_STRING, first);
    n->is_const_expr = true;
    return n;
}

static ast_node *parse_identifier(struct parser *p)
{
    uint32_t first = p->pos;
    p->tokens[first].code = 0;
    parser_advance(p);
    ast_node *n = parser_node(p, AST_IDENT, first);
    n->name_token = first;
    n->ref = scope_find(p, NAMES_ORDINARY, first);
    n->is_const_expr =
        n->ref != NULL && (n->ref->kind == DECL_ENUMERATOR || n->ref->kind == DECL_FUNCTION);
    return n;
}

/* ---- parentheses -------------------------------------------------------------------------------
 */

static ast_node *parse_parenthesised(struct parser *p)
{
    uint32_t first = p->pos;
    parser_advance(p);
    if (parser_at(p, P_LBRACE)) {
        ast_node *body = parse_compound(p);
        parser_expect(p, P_RPAREN, "expected ')' after a statement expression");
        return parser_node1(p, AST_STMT_EXPR, first, body);
    }
    ast_node *inner = parse_expression(p);
    parser_expect(p, P_RPAREN, "expected ')'");
    ast_node *n = parser_node1(p, AST_PAREN, first, inner);
    n->is_const_expr = inner->is_const_expr;
    return n;
}

ast_node *parse_compound_literal(struct parser *p, uint32_t first, ast_node *type_name)
{
    size_t mark = parser_mark(p);
    parser_push(p, type_name);
    parser_push(p, parse_initializer(p));
    return parser_finish(p, parser_node(p, AST_COMPOUND_LITERAL, first), mark);
}

/* ---- _Generic, builtins, forms -----------------------------------------------------------------
 */

static ast_node *parse_association(struct parser *p)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_GENERIC_ASSOC, p->pos);
    parser_push(p, parser_accept(p, KW_DEFAULT) ? NULL : parse_type_name(p));
    parser_expect(p, P_COLON, "expected ':' in a generic association");
    parser_push(p, parse_assignment(p));
    return parser_finish(p, n, mark);
}

static ast_node *parse_type_or_assignment(struct parser *p)
{
    return parse_starts_type(p, p->pos) ? parse_type_name(p) : parse_assignment(p);
}

static void push_generic(struct parser *p)
{
    p->unevaluated++;
    parser_push(p, parse_type_or_assignment(p));
    p->unevaluated--;
    while (parser_accept(p, P_COMMA))
        parser_push(p, parse_association(p));
}

static void push_va_arg(struct parser *p)
{
    parser_push(p, parse_assignment(p));
    parser_expect(p, P_COMMA, "expected ',' in va_arg");
    parser_push(p, parse_type_name(p));
}

/* `type, member.member[index]`: members stay text, indices are children. */
static void push_offsetof(struct parser *p)
{
    parser_push(p, parse_type_name(p));
    parser_expect(p, P_COMMA, "expected ',' in offsetof");
    parser_take_name(p, "expected a member in offsetof");
    while (!parser_at_end(p)) {
        if (parser_accept(p, P_DOT) || parser_accept(p, P_ARROW)) {
            parser_take_name(p, "expected a member in offsetof");
        } else if (parser_accept(p, P_LBRACKET)) {
            parser_push(p, parse_expression(p));
            parser_expect(p, P_RBRACKET, "expected ']'");
        } else {
            return;
        }
    }
}

static void push_types_compatible(struct parser *p)
{
    p->unevaluated++;
    parser_push(p, parse_type_name(p));
    parser_expect(p, P_COMMA, "expected ',' in __builtin_types_compatible_p");
    parser_push(p, parse_type_name(p));
    p->unevaluated--;
}

static void push_choose_expr(struct parser *p)
{
    for (int i = 0; i < 3; i++) {
        if (i != 0)
            parser_expect(p, P_COMMA, "expected ',' in __builtin_choose_expr");
        parser_push(p, parse_assignment(p));
    }
}

static void push_form_arguments(struct parser *p)
{
    if (parser_at(p, P_RPAREN))
        return;
    do {
        parser_push(p, parse_assignment(p));
    } while (parser_accept(p, P_COMMA));
}

/* keyword ( ... ) with the children that `push_arguments` finds. */
static ast_node *parse_call_like(struct parser *p, enum ast_kind kind,
                                 void (*push_arguments)(struct parser *))
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, kind, p->pos);
    parser_advance(p);
    parser_expect(p, P_LPAREN, "expected '(' after this keyword");
    push_arguments(p);
    parser_expect(p, P_RPAREN, "expected ')' after the arguments");
    parser_finish(p, n, mark);
    n->is_const_expr = kind == AST_TYPES_COMPATIBLE || kind == AST_OFFSETOF;
    for (uint32_t i = 1; kind == AST_OFFSETOF && i < n->kid_count; i++)
        n->is_const_expr = n->is_const_expr && n->kid[i]->is_const_expr;
    return n;
}

static ast_node *parse_form(struct parser *p, uint16_t code)
{
    ast_node *n = parse_call_like(p, AST_FORM, push_form_arguments);
    n->op = (uint8_t)(code - KW_FORM_SPAWN + FORM_SPAWN);
    return n;
}

static ast_node *parse_keyword_primary(struct parser *p, uint16_t code)
{
    static const struct {
        uint16_t code;
        enum ast_kind kind;
        void (*push_arguments)(struct parser *); /* NULL: a leaf */
    } primaries[] = {
        {KW_TRUE, AST_NUMBER, NULL},
        {KW_FALSE, AST_NUMBER, NULL},
        {KW_NULLPTR, AST_NUMBER, NULL},
        {KW_FUNC_NAME, AST_FUNC_NAME, NULL},
        {KW_GENERIC, AST_GENERIC, push_generic},
        {KW_VA_ARG, AST_VA_ARG, push_va_arg},
        {KW_OFFSETOF, AST_OFFSETOF, push_offsetof},
        {KW_TYPES_COMPATIBLE, AST_TYPES_COMPATIBLE, push_types_compatible},
        {KW_CHOOSE_EXPR, AST_CHOOSE_EXPR, push_choose_expr},
    };
    for (size_t i = 0; i < COUNTOF(primaries); i++) {
        if (primaries[i].code != code)
            continue;
        if (primaries[i].push_arguments == NULL)
            return parse_leaf(p, primaries[i].kind);
        return parse_call_like(p, primaries[i].kind, primaries[i].push_arguments);
    }
    if (code >= KW_FORM_SPAWN && code <= KW_FORM_SCOPE_SPAWN)
        return parse_form(p, code);
    parser_fail(p, code == KW_DEFER ? "a defer cannot be part of an expression"
                                    : "expected an expression");
    return parser_node(p, AST_NUMBER, p->pos);
}

static ast_node *parse_nested_primary(struct parser *p, uint16_t code)
{
    ast_node *n;
    if (!parser_enter(p))
        n = parser_node(p, AST_NUMBER, p->pos);
    else
        n = code == P_LPAREN ? parse_parenthesised(p) : parse_keyword_primary(p, code);
    parser_leave(p);
    return n;
}

/* `^(int a) { ... }`: a function within the function. */
static ast_node *fail_at_block(struct parser *p)
{
    ast_node *n = parser_node(p, AST_NUMBER, p->pos);
    if (p->failed)
        return n;
    parser_fail(p,
                "a block literal cannot stand in a function that is lowered, since its variables "
                "may be in a frame; write a function at file scope");
    p->error->is_block = true;
    return n;
}

ast_node *parse_primary(struct parser *p)
{
    const struct token *t = &p->tokens[p->pos];
    switch (t->kind) {
    case TOKEN_NUMBER:
        return parse_leaf(p, AST_NUMBER);
    case TOKEN_CHAR:
        return parse_leaf(p, AST_CHAR);
    case TOKEN_STRING:
        return parse_string(p);
    case TOKEN_IDENT:
        if (parser_is_name(p, p->pos))
            return parse_identifier(p);
        return parse_nested_primary(p, t->code);
    case TOKEN_PUNCT:
        if (t->code == P_LPAREN)
            return parse_nested_primary(p, t->code);
        if (t->code == P_XOR)
            return fail_at_block(p);
        break;
    case TOKEN_END:
    case TOKEN_PRAGMA:
        break;
    }
    parser_fail(p, "expected an expression");
    return parser_node(p, AST_NUMBER, p->pos);
}

/* ---- postfix ------------------------------------------------------------------------------------
 */

static ast_node *parse_call(struct parser *p, ast_node *callee)
{
    size_t mark = parser_mark(p);
    bool is_constant_p = callee->kind == AST_IDENT &&
                         sv_is(ast_token_text(p->fn, callee->first), "__builtin_constant_p");
    parser_advance(p);
    parser_push(p, callee);
    p->unevaluated += is_constant_p;
    if (!parser_at(p, P_RPAREN)) {
        do {
            parser_push(p, parse_type_or_assignment(p));
        } while (parser_accept(p, P_COMMA));
    }
    p->unevaluated -= is_constant_p;
    parser_expect(p, P_RPAREN, "expected ')' after arguments");
    return parser_finish(p, parser_node(p, AST_CALL, callee->first), mark);
}

static ast_node *parse_index(struct parser *p, ast_node *base)
{
    size_t mark = parser_mark(p);
    parser_advance(p);
    parser_push(p, base);
    parser_push(p, parse_expression(p));
    parser_expect(p, P_RBRACKET, "expected ']'");
    return parser_finish(p, parser_node(p, AST_INDEX, base->first), mark);
}

static ast_node *parse_member(struct parser *p, ast_node *base, enum ast_op op)
{
    parser_advance(p);
    uint32_t name = parser_take_name(p, "expected a member's name");
    ast_node *n = parser_node1(p, AST_MEMBER, base->first, base);
    n->op = (uint8_t)op;
    n->name_token = name;
    return n;
}

ast_node *parse_postfix_tail(struct parser *p, ast_node *n)
{
    for (;;) {
        uint16_t code = parser_code(p);
        if (code == P_LPAREN || code == P_LBRACKET) {
            if (parser_enter(p))
                n = code == P_LPAREN ? parse_call(p, n) : parse_index(p, n);
            parser_leave(p);
        } else if (code == P_DOT || code == P_ARROW) {
            n = parse_member(p, n, code == P_DOT ? OP_DOT : OP_ARROW);
        } else if (code == P_INC || code == P_DEC) {
            parser_advance(p);
            n = parser_node1(p, AST_POSTFIX, n->first, n);
            n->op = code == P_INC ? OP_INC : OP_DEC;
        } else {
            return n;
        }
    }
}

ast_node *parse_postfix(struct parser *p)
{
    uint32_t first = p->pos;
    if (parser_at(p, P_LPAREN) && parse_starts_type(p, parser_next(p, first))) {
        parser_advance(p);
        ast_node *type = parse_type_name(p);
        parser_expect(p, P_RPAREN, "expected ')' after a type name");
        if (!parser_at(p, P_LBRACE))
            parser_fail(p, "a cast cannot stand here without parentheses");
        return parse_postfix_tail(p, parse_compound_literal(p, first, type));
    }
    return parse_postfix_tail(p, parse_primary(p));
}
