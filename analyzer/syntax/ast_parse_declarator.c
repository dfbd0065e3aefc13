/* SPDX-License-Identifier: MIT */
/*
 * Declarators, parameters and initialisers. A declarator is one node whose children stand in source
 * order however the parentheses nest; what is applied to the name first (`derivation`) is found on
 * the way: the suffix or pointer nearest to the name wins.
 */
#include "analyzer/syntax/ast_parse_internal.h"

/* ---- parameters -------------------------------------------------------------------------------
 */

static ast_node *parse_param(struct parser *p)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_PARAM, p->pos);
    struct specifiers specs;
    struct declarator d;
    parse_specifiers(p, &specs);
    parser_push(p, specs.node);
    if (specs.node->first == specs.node->last && !parser_is_name(p, p->pos))
        parser_fail(p, "expected a parameter");
    uint32_t start = p->pos;
    parse_declarator(p, DECLARATOR_EITHER, &d);
    parser_push(p, NULL);
    parser_finish(p, d.node, d.mark);
    bool is_absent = p->pos == start;
    parser_push(p, is_absent ? NULL : d.node);
    parser_finish(p, n, mark);
    if (p->failed)
        return n;
    n->ref = parse_declare(p, DECL_PARAM, &specs, &d);
    if (is_absent)
        n->ref->declarator = n;
    return n;
}

static bool is_void_only(struct parser *p)
{
    return parser_at(p, KW_VOID) && p->tokens[parser_next(p, p->pos)].code == P_RPAREN;
}

ast_node *parse_params(struct parser *p)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_PARAMS, p->pos);
    parser_advance(p);
    scope_open(p, n);
    if (is_void_only(p)) {
        parser_advance(p);
    } else if (!parser_at(p, P_RPAREN)) {
        do {
            if (parser_accept(p, P_ELLIPSIS))
                break;
            parser_push(p, parse_param(p));
        } while (parser_accept(p, P_COMMA) || parser_accept(p, P_SEMI));
    }
    parser_expect(p, P_RPAREN, "expected ')' after parameters");
    scope_close(p);
    return parser_finish(p, n, mark);
}

/* ---- declarators ------------------------------------------------------------------------------
 */

static void push_declarator_attributes(struct parser *p, struct declarator *d)
{
    while (parse_at_attribute(p, p->pos)) {
        ast_node *n = parse_attribute(p);
        strview cleanup = parse_cleanup_of(p, n);
        if (cleanup.len != 0) {
            d->cleanup = n;
            d->cleanup_function = cleanup;
        }
        d->is_noreturn = d->is_noreturn || parse_is_noreturn(p, n);
        parser_push(p, n);
    }
}

/* `[static const n]`, `[*]`, `[]`. */
static ast_node *parse_array_bound(struct parser *p)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_ARRAY_BOUND, p->pos);
    parser_advance(p);
    while (parser_at(p, KW_STATIC) ||
           (parser_code(p) >= KW_ATOMIC && parser_code(p) <= KW_ADDRESS_SPACE))
        parser_advance(p);
    bool is_star = parser_at(p, P_STAR) && p->tokens[parser_next(p, p->pos)].code == P_RBRACKET;
    if (is_star)
        parser_advance(p);
    parser_push(p, is_star || parser_at(p, P_RBRACKET) ? NULL : parse_assignment(p));
    parser_expect(p, P_RBRACKET, "expected ']' after an array's size");
    return parser_finish(p, n, mark);
}

static void push_suffixes(struct parser *p, struct declarator *d)
{
    for (;;) {
        enum derivation here;
        ast_node *n;
        if (parse_at_attribute(p, p->pos)) {
            push_declarator_attributes(p, d);
            continue;
        }
        if (parser_at(p, P_LBRACKET)) {
            n = parse_array_bound(p);
            here = DERIVED_ARRAY;
        } else if (parser_at(p, P_LPAREN)) {
            n = parse_params(p);
            here = DERIVED_FUNCTION;
        } else {
            return;
        }
        if (d->derivation == DERIVED_NOTHING) {
            d->derivation = here;
            d->own_params = here == DERIVED_FUNCTION ? n : NULL;
        }
        parser_push(p, n);
    }
}

/* Pointers with their qualifiers; true if there was one. */
static bool push_pointers(struct parser *p, struct declarator *d)
{
    bool has_pointer = false;
    for (;;) {
        uint16_t code = parser_code(p);
        if (code == P_STAR || code == P_XOR) /* ^: of a block */
            has_pointer = true;
        else if (code == KW_ASYNC)
            d->is_async = true;
        else if (parse_at_attribute(p, p->pos)) {
            push_declarator_attributes(p, d);
            continue;
        } else if (code != KW_EXTENSION && !(code >= KW_ATOMIC && code <= KW_ADDRESS_SPACE)) {
            return has_pointer;
        }
        parser_advance(p);
    }
}

/* Does the `(` here group a declarator, or open a parameter list of an unnamed function? */
static bool is_grouping(struct parser *p, enum declarator_mode mode)
{
    if (mode == DECLARATOR_NAMED)
        return true;
    uint32_t token = parse_after_attributes(p, parser_next(p, p->pos));
    while (p->tokens[token].code == KW_ASYNC)
        token = parser_next(p, token);
    uint16_t code = p->tokens[token].code;
    if (code == P_STAR || code == P_XOR || code == P_LPAREN || code == P_LBRACKET)
        return true;
    return mode == DECLARATOR_EITHER && parser_is_name(p, token) && !scope_is_typedef(p, token);
}

static void parse_direct(struct parser *p, enum declarator_mode mode, struct declarator *d)
{
    if (!parser_enter(p)) {
        parser_leave(p);
        return;
    }
    bool has_pointer = push_pointers(p, d);
    if (parser_at(p, P_LPAREN) && is_grouping(p, mode)) {
        parser_advance(p);
        parse_direct(p, mode, d);
        parser_expect(p, P_RPAREN, "expected ')' in a declarator");
    } else if (mode != DECLARATOR_ABSTRACT && parser_may_name(p, p->pos)) {
        d->node->name_token = parser_take_name(p, "expected a name");
    } else if (mode == DECLARATOR_NAMED) {
        parser_fail(p, "expected a name to declare");
    }
    push_suffixes(p, d);
    if (has_pointer && d->derivation == DERIVED_NOTHING)
        d->derivation = DERIVED_POINTER;
    parser_leave(p);
}

static void push_asm_label(struct parser *p, struct declarator *d)
{
    if (!parser_at(p, KW_ASM))
        return;
    uint32_t first = p->pos;
    parser_advance(p);
    if (!parser_at(p, P_LPAREN))
        parser_fail(p, "expected '(' after asm");
    parser_skip_balanced(p);
    parser_push(p, parser_node(p, AST_ASM_LABEL, first));
    d->has_asm = true;
}

void parse_declarator(struct parser *p, enum declarator_mode mode, struct declarator *d)
{
    *d =
        (struct declarator){.node = parser_node(p, AST_DECLARATOR, p->pos), .mark = parser_mark(p)};
    parse_direct(p, mode, d);
    push_asm_label(p, d);
    push_declarator_attributes(p, d);
    d->node->last = p->prev_end;
}

ast_decl *parse_declare(struct parser *p, enum ast_decl_kind kind, const struct specifiers *specs,
                        const struct declarator *d)
{
    ast_decl *decl = scope_declare(p, kind, d->node->name_token, d->node);
    decl->storage = specs->storage;
    decl->is_thread_local = specs->is_thread_local;
    decl->is_async = specs->is_async || d->is_async;
    decl->has_asm_register = specs->storage == STORAGE_REGISTER && d->has_asm;
    decl->cleanup = d->cleanup != NULL ? d->cleanup : specs->cleanup;
    decl->cleanup_function = d->cleanup != NULL ? d->cleanup_function : specs->cleanup_function;
    d->node->ref = decl;
    return decl;
}

ast_node *parse_field_declarator(struct parser *p, const struct specifiers *specs)
{
    struct declarator d;
    bool is_unnamed = parser_at(p, P_COLON);
    parse_declarator(p, is_unnamed ? DECLARATOR_ABSTRACT : DECLARATOR_NAMED, &d);
    if (parser_at(p, P_COLON)) {
        size_t mark = parser_mark(p);
        ast_node *width = parser_node(p, AST_BIT_WIDTH, p->pos);
        parser_advance(p);
        parser_push(p, parse_conditional(p));
        parser_push(p, parser_finish(p, width, mark));
        push_declarator_attributes(p, &d);
    }
    parser_push(p, NULL);
    parser_finish(p, d.node, d.mark);
    if (!p->failed)
        parse_declare(p, DECL_FIELD, specs, &d);
    return d.node;
}

/* ---- initialisers ------------------------------------------------------------------------------
 */

static ast_node *parse_field_designator(struct parser *p, bool is_old_style)
{
    ast_node *n = parser_node(p, AST_DESIG_FIELD, p->pos);
    if (!is_old_style)
        parser_advance(p);
    n->name_token = parser_take_name(p, "expected a member after '.'");
    if (is_old_style)
        parser_advance(p); /* the colon */
    n->last = p->prev_end;
    return n;
}

static ast_node *parse_index_designator(struct parser *p)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_DESIG_INDEX, p->pos);
    parser_advance(p);
    parser_push(p, parse_conditional(p));
    parser_push(p, parser_accept(p, P_ELLIPSIS) ? parse_conditional(p) : NULL);
    parser_expect(p, P_RBRACKET, "expected ']' after a designator");
    return parser_finish(p, n, mark);
}

static ast_node *parse_element(struct parser *p)
{
    bool is_old_style =
        parser_may_name(p, p->pos) && p->tokens[parser_next(p, p->pos)].code == P_COLON;
    if (!is_old_style && !parser_at(p, P_DOT) && !parser_at(p, P_LBRACKET))
        return parse_initializer(p);
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_DESIGNATED, p->pos);
    if (is_old_style) {
        parser_push(p, parse_field_designator(p, true));
    } else {
        while (parser_at(p, P_DOT) || parser_at(p, P_LBRACKET))
            parser_push(p, parser_at(p, P_DOT) ? parse_field_designator(p, false)
                                               : parse_index_designator(p));
        bool is_index = p->stack.at[p->stack.count - 1]->kind == AST_DESIG_INDEX;
        if (!parser_accept(p, P_ASSIGN) && !is_index) /* GNU: `[1] 2` */
            parser_fail(p, "expected '=' after a designator");
    }
    parser_push(p, parse_initializer(p));
    return parser_finish(p, n, mark);
}

static ast_node *parse_init_list(struct parser *p)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_INIT_LIST, p->pos);
    parser_advance(p);
    while (!parser_at(p, P_RBRACE) && !parser_at_end(p)) {
        parser_push(p, parse_element(p));
        if (!parser_accept(p, P_COMMA))
            break;
    }
    parser_expect(p, P_RBRACE, "expected '}' after initialisers");
    return parser_finish(p, n, mark);
}

ast_node *parse_initializer(struct parser *p)
{
    if (!parser_at(p, P_LBRACE))
        return parse_assignment(p);
    ast_node *n;
    if (parser_enter(p))
        n = parse_init_list(p);
    else
        n = parser_node(p, AST_INIT_LIST, p->pos);
    parser_leave(p);
    return n;
}
