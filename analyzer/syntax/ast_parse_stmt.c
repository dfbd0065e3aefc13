/* SPDX-License-Identifier: MIT */
/*
 * Statements and block-scope declarations. Chains of `else if` and of labels are collected on the
 * stack of nodes and joined from the last one back, so that they do not nest the parser.
 *
 * A declaration begins where declaration specifiers can begin; a typedef name before a colon is a
 * label. Attributes in front of a statement are the statement's own tokens.
 */
#include "analyzer/syntax/ast_parse_internal.h"

static ast_node *parse_statement(struct parser *p);

/* ---- declarations ------------------------------------------------------------------------------
 */

static bool is_nested_function(struct parser *p, const struct declarator *d)
{
    if (p->failed || d->derivation != DERIVED_FUNCTION)
        return false;
    return parser_at(p, P_LBRACE) ||
           (parse_is_identifier_list(d->own_params) && parse_starts_specifiers(p, p->pos));
}

/* Makes the declaration `n` a nested function, opaque but for its name. */
static ast_node *finish_nested_function(struct parser *p, ast_node *n, uint32_t name_token)
{
    while (!parser_at(p, P_LBRACE) && !parser_at_end(p))
        parser_advance(p);
    parser_skip_balanced(p);
    parser_become(p, n, AST_NESTED_FUNCTION);
    n->name_token = name_token;
    if (!p->failed)
        n->ref = scope_declare(p, DECL_FUNCTION, name_token, n);
    return parser_finish(p, n, parser_mark(p));
}

/* The rest of a declarator that was begun: declared, then initialised. */
static ast_node *finish_init_declarator(struct parser *p, const struct specifiers *specs,
                                        const struct declarator *d)
{
    enum ast_decl_kind kind = DECL_VAR;
    if (specs->is_typedef)
        kind = DECL_TYPEDEF;
    else if (d->derivation == DERIVED_FUNCTION)
        kind = DECL_FUNCTION;
    if (!p->failed)
        parse_declare(p, kind, specs, d);
    parser_push(p, parser_accept(p, P_ASSIGN) ? parse_initializer(p) : NULL);
    return parser_finish(p, d->node, d->mark);
}

ast_node *parse_declaration(struct parser *p)
{
    size_t mark = parser_mark(p);
    struct scope_checkpoint saved = scope_save(p);
    ast_node *n = parser_node(p, AST_DECL_STMT, p->pos);
    struct specifiers specs;
    parse_specifiers(p, &specs);
    parser_push(p, specs.node);
    bool has_declarators = !parser_at(p, P_SEMI);
    while (has_declarators) {
        struct declarator d;
        parse_declarator(p, DECLARATOR_NAMED, &d);
        if (is_nested_function(p, &d)) {
            p->stack.count = mark;
            scope_restore(p, saved);
            return finish_nested_function(p, n, d.node->name_token);
        }
        parser_push(p, finish_init_declarator(p, &specs, &d));
        has_declarators = parser_accept(p, P_COMMA);
    }
    if (!p->is_lone_declaration || !parser_at_end(p))
        parser_expect(p, P_SEMI, "expected ';' after a declaration");
    return parser_finish(p, n, mark);
}

static ast_node *parse_local_labels(struct parser *p)
{
    ast_node *n = parser_node(p, AST_LOCAL_LABELS, p->pos);
    parser_advance(p);
    do {
        uint32_t name = parser_take_name(p, "expected a label after __label__");
        if (p->failed)
            return n;
        ast_decl *d = scope_declare(p, DECL_LABEL, name, NULL);
        VEC_PUSH(p->mem, &p->fn->labels, d);
    } while (parser_accept(p, P_COMMA));
    parser_expect(p, P_SEMI, "expected ';' after __label__");
    return parser_finish(p, n, parser_mark(p));
}

/* ---- labels -------------------------------------------------------------------------------------
 */

static bool is_label(struct parser *p, uint32_t token)
{
    uint16_t code = p->tokens[token].code;
    return code == KW_CASE || code == KW_DEFAULT ||
           (parser_may_name(p, token) && p->tokens[parser_next(p, token)].code == P_COLON);
}

static bool is_declaration(struct parser *p)
{
    return parse_at_static_assert(p) || parser_at(p, KW_LABEL) ||
           parse_starts_specifiers(p, p->pos);
}

static void declare_label(struct parser *p, ast_node *n)
{
    ast_decl *d = scope_label(p, n->name_token);
    if (d->scope == NULL) { /* function-wide */
        ast_scope *scope = p->scope;
        while (scope->node->kind != AST_FUNCTION)
            scope = scope->parent;
        d->scope = scope;
        VEC_PUSH(p->mem, &p->fn->decls, d);
        VEC_PUSH(p->mem, &p->fn->labels, d);
    }
    d->token = n->name_token;
    d->declarator = n;
    n->ref = d;
}

/* A label without its statement, whose place is the last child. */
static ast_node *parse_label(struct parser *p)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_LABEL, p->pos);
    while (parse_at_attribute(p, p->pos))
        parse_attribute(p);
    if (parser_accept(p, KW_CASE)) {
        parser_become(p, n, AST_CASE);
        parser_push(p, parse_conditional(p));
        parser_push(p, parser_accept(p, P_ELLIPSIS) ? parse_conditional(p) : NULL);
    } else if (parser_accept(p, KW_DEFAULT)) {
        parser_become(p, n, AST_DEFAULT);
    } else {
        n->name_token = parser_take_name(p, "expected a label");
        if (!p->failed)
            declare_label(p, n);
    }
    parser_expect(p, P_COLON, "expected ':' after a label");
    if (parse_at_attribute(p, p->pos) &&
        p->tokens[parse_after_attributes(p, p->pos)].code == P_RBRACE) {
        while (parse_at_attribute(p, p->pos))
            parse_attribute(p);
    }
    parser_push(p, NULL);
    return parser_finish(p, n, mark);
}

/* ---- selection and loops
 * -------------------------------------------------------------------------- */

static ast_node *parse_parenthesised_condition(struct parser *p)
{
    parser_expect(p, P_LPAREN, "expected '(' before a condition");
    ast_node *n = parse_expression(p);
    parser_expect(p, P_RPAREN, "expected ')' after a condition");
    return n;
}

static ast_node *parse_if(struct parser *p, uint32_t first)
{
    size_t mark = parser_mark(p);
    ast_node *last = NULL;
    for (bool is_chain = true; is_chain;) {
        ast_node *n = parser_node(p, AST_IF, first);
        scope_open(p, n);
        parser_advance(p);
        parser_push(p, n);
        parser_push(p, parse_parenthesised_condition(p));
        parser_push(p, parse_statement(p));
        bool has_else = parser_accept(p, KW_ELSE);
        first = p->pos;
        is_chain = has_else && parser_at(p, KW_IF);
        if (has_else && !is_chain)
            last = parse_statement(p);
    }
    while (p->stack.count > mark) {
        size_t at = p->stack.count - 3;
        ast_node *n = p->stack.at[at];
        parser_push(p, last);
        last = parser_finish(p, n, at + 1);
        p->stack.count = at;
        scope_close(p);
    }
    return last;
}

static ast_node *parse_while_or_switch(struct parser *p, enum ast_kind kind, uint32_t first)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, kind, first);
    scope_open(p, n);
    parser_advance(p);
    parser_push(p, parse_parenthesised_condition(p));
    parser_push(p, parse_statement(p));
    scope_close(p);
    return parser_finish(p, n, mark);
}

static ast_node *parse_do(struct parser *p, uint32_t first)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_DO, first);
    scope_open(p, n);
    parser_advance(p);
    parser_push(p, parse_statement(p));
    parser_expect(p, KW_WHILE, "expected 'while' after the body of a do");
    parser_push(p, parse_parenthesised_condition(p));
    parser_expect(p, P_SEMI, "expected ';' after do ... while");
    scope_close(p);
    return parser_finish(p, n, mark);
}

static ast_node *parse_expression_statement(struct parser *p, uint32_t first)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_EXPR_STMT, first);
    parser_push(p, parse_expression(p));
    parser_expect(p, P_SEMI, "expected ';' after an expression");
    return parser_finish(p, n, mark);
}

static ast_node *parse_for_init(struct parser *p)
{
    if (parser_accept(p, P_SEMI))
        return NULL;
    if (parse_at_static_assert(p))
        return parse_static_assert(p);
    if (parse_starts_specifiers(p, p->pos))
        return parse_declaration(p);
    return parse_expression_statement(p, p->pos);
}

static ast_node *parse_for(struct parser *p, uint32_t first)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_FOR, first);
    scope_open(p, n);
    parser_advance(p);
    parser_expect(p, P_LPAREN, "expected '(' after for");
    parser_push(p, parse_for_init(p));
    parser_push(p, parser_at(p, P_SEMI) ? NULL : parse_expression(p));
    parser_expect(p, P_SEMI, "expected ';' after the condition of a for");
    parser_push(p, parser_at(p, P_RPAREN) ? NULL : parse_expression(p));
    parser_expect(p, P_RPAREN, "expected ')' of a for");
    parser_push(p, parse_statement(p));
    scope_close(p);
    return parser_finish(p, n, mark);
}

/* ---- other statements
 * ------------------------------------------------------------------------------ */

static ast_node *parse_goto(struct parser *p, uint32_t first)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_GOTO, first);
    parser_advance(p);
    if (parser_accept(p, P_STAR)) {
        parser_become(p, n, AST_GOTO_COMPUTED);
        parser_push(p, parse_expression(p));
    } else {
        n->name_token = parser_take_name(p, "expected a label after goto");
        if (!p->failed) {
            n->ref = scope_label(p, n->name_token);
            VEC_PUSH(p->mem, &p->label_uses, n);
        }
    }
    parser_expect(p, P_SEMI, "expected ';' after goto");
    return parser_finish(p, n, mark);
}

/* return, break, continue */
static ast_node *parse_jump(struct parser *p, enum ast_kind kind, uint32_t first)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, kind, first);
    parser_advance(p);
    if (kind == AST_RETURN)
        parser_push(p, parser_at(p, P_SEMI) ? NULL : parse_expression(p));
    parser_expect(p, P_SEMI, "expected ';' after a jump");
    return parser_finish(p, n, mark);
}

/* `[name] "constraint" (expression), ...` */
static void push_asm_operands(struct parser *p)
{
    while (parser_at(p, P_LBRACKET) || p->tokens[p->pos].kind == TOKEN_STRING) {
        if (parser_accept(p, P_LBRACKET)) {
            parser_take_name(p, "expected the name of an asm operand");
            parser_expect(p, P_RBRACKET, "expected ']'");
        }
        parse_string(p);
        parser_expect(p, P_LPAREN, "expected '(' before an asm operand");
        parser_push(p, parse_expression(p));
        parser_expect(p, P_RPAREN, "expected ')' after an asm operand");
        if (!parser_accept(p, P_COMMA))
            return;
    }
}

static ast_node *parse_asm(struct parser *p, uint32_t first)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_ASM, first);
    parser_advance(p);
    while (parser_accept(p, KW_VOLATILE) || parser_accept(p, KW_INLINE) ||
           parser_accept(p, KW_GOTO) || parser_accept(p, KW_CONST))
        continue;
    parser_expect(p, P_LPAREN, "expected '(' after asm");
    parse_string(p);
    for (int section = 0; parser_accept(p, P_COLON); section++) {
        if (section < 2)
            push_asm_operands(p);
        while (section >= 2 && (p->tokens[p->pos].kind == TOKEN_STRING ||
                                parser_is_name(p, p->pos) || parser_at(p, P_COMMA)))
            parser_advance(p); /* clobbers, labels */
    }
    parser_expect(p, P_RPAREN, "expected ')' after asm");
    parser_expect(p, P_SEMI, "expected ';' after asm");
    return parser_finish(p, n, mark);
}

/* Also where it is a bare body: whoever knows the language says what is wrong with that. */
static ast_node *parse_defer(struct parser *p, uint32_t first)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_DEFER, first);
    parser_advance(p);
    if (!parser_at(p, P_LBRACE))
        parser_fail(p, "a defer needs a compound statement: defer { ... }");
    parser_push(p, parse_compound(p));
    return parser_finish(p, n, mark);
}

static ast_node *parse_unlabelled(struct parser *p)
{
    uint32_t first = p->pos;
    bool has_attribute = parse_at_attribute(p, first);
    while (parse_at_attribute(p, p->pos))
        parse_attribute(p);
    switch (parser_code(p)) {
    case P_SEMI:
        parser_advance(p);
        return parser_node(p, has_attribute ? AST_ATTRIBUTE_STMT : AST_NULL_STMT, first);
    case P_LBRACE: {
        ast_node *n = parse_compound(p);
        n->first = first;
        return n;
    }
    case KW_IF:
        return parse_if(p, first);
    case KW_WHILE:
        return parse_while_or_switch(p, AST_WHILE, first);
    case KW_SWITCH:
        return parse_while_or_switch(p, AST_SWITCH, first);
    case KW_DO:
        return parse_do(p, first);
    case KW_FOR:
        return parse_for(p, first);
    case KW_GOTO:
        return parse_goto(p, first);
    case KW_RETURN:
        return parse_jump(p, AST_RETURN, first);
    case KW_BREAK:
        return parse_jump(p, AST_BREAK, first);
    case KW_CONTINUE:
        return parse_jump(p, AST_CONTINUE, first);
    case KW_ASM:
        return parse_asm(p, first);
    case KW_DEFER:
        return parse_defer(p, first);
    default:
        return parse_expression_statement(p, first);
    }
}

static ast_node *parse_labelled(struct parser *p)
{
    size_t mark = parser_mark(p);
    while (is_label(p, parse_after_attributes(p, p->pos)))
        parser_push(p, parse_label(p));
    bool has_labels = p->stack.count > mark;
    ast_node *last = NULL;
    if (!has_labels || !(parser_at(p, P_RBRACE) || is_declaration(p)))
        last = parse_unlabelled(p);
    while (p->stack.count > mark) {
        ast_node *label = p->stack.at[--p->stack.count];
        if (last != NULL) {
            label->kid[label->kid_count - 1] = last;
            last->parent = label;
            label->last = last->last;
        }
        last = label;
    }
    return last;
}

static ast_node *parse_statement(struct parser *p)
{
    ast_node *n;
    if (parser_enter(p))
        n = parse_labelled(p);
    else
        n = parser_node(p, AST_NULL_STMT, p->pos);
    parser_leave(p);
    return n;
}

/* ---- blocks
 * --------------------------------------------------------------------------------------- */

static ast_node *parse_block_item(struct parser *p)
{
    if (is_label(p, parse_after_attributes(p, p->pos)))
        return parse_statement(p);
    if (parse_at_static_assert(p))
        return parse_static_assert(p);
    if (parser_at(p, KW_LABEL))
        return parse_local_labels(p);
    if (parse_starts_specifiers(p, p->pos))
        return parse_declaration(p);
    return parse_statement(p);
}

/* The pragmas that the cursor passed over before the current token. */
static void push_pragmas(struct parser *p)
{
    for (uint32_t i = p->prev_end; i < p->pos; i++) {
        ast_node *n = parser_node(p, AST_PRAGMA, i);
        n->last = i + 1;
        parser_push(p, n);
    }
}

ast_node *parse_compound(struct parser *p)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_COMPOUND, p->pos);
    scope_open(p, n);
    parser_expect(p, P_LBRACE, "expected '{'");
    push_pragmas(p);
    while (!parser_at(p, P_RBRACE) && !parser_at_end(p)) {
        parser_push(p, parse_block_item(p));
        push_pragmas(p);
    }
    parser_expect(p, P_RBRACE, "expected '}' at the end of a block");
    scope_close(p);
    return parser_finish(p, n, mark);
}
