/* SPDX-License-Identifier: MIT */
/*
 * Declaration specifiers, type names, attributes, and struct, union and enum with their members.
 *
 * What is a type where a name stands? A typedef name is a type specifier until another one was seen
 * (`unsigned size_t` declares size_t), and only if no declaration in scope gives it another
 * meaning. Keywords and typedef names stay the specifiers' own tokens; parts with structure are
 * children.
 */
#include "analyzer/syntax/ast_parse_internal.h"

/* ---- attributes ------------------------------------------------------------------------------ */

bool parse_at_attribute(struct parser *p, uint32_t token)
{
    uint16_t code = p->tokens[token].code;
    return code == KW_ATTRIBUTE ||
           (code == P_LBRACKET && p->tokens[parser_next(p, token)].code == P_LBRACKET);
}

uint32_t parse_after_attributes(struct parser *p, uint32_t token)
{
    while (parse_at_attribute(p, token)) {
        if (p->tokens[token].code == KW_ATTRIBUTE)
            token = parser_next(p, token);
        if (p->tokens[token].code != P_LPAREN && p->tokens[token].code != P_LBRACKET)
            return token;
        token = parser_after_balanced(p, token);
    }
    return token;
}

ast_node *parse_attribute(struct parser *p)
{
    uint32_t first = p->pos;
    if (parser_accept(p, KW_ATTRIBUTE) && !parser_at(p, P_LPAREN))
        parser_fail(p, "expected '((' after __attribute__");
    parser_skip_balanced(p);
    return parser_node(p, AST_ATTRIBUTE, first);
}

static bool token_is(const struct parser *p, uint32_t token, const char *name, const char *twin)
{
    strview text = ast_token_text(p->fn, token);
    return p->tokens[token].kind == TOKEN_IDENT && (sv_is(text, name) || sv_is(text, twin));
}

strview parse_cleanup_of(const struct parser *p, const ast_node *attribute)
{
    for (uint32_t t = attribute->first; t + 3 < attribute->last; t++) {
        if (token_is(p, t, "cleanup", "__cleanup__") && p->tokens[t + 1].code == P_LPAREN &&
            p->tokens[t + 2].kind == TOKEN_IDENT && p->tokens[t + 3].code == P_RPAREN)
            return ast_token_text(p->fn, t + 2);
    }
    return (strview){NULL, 0};
}

bool parse_is_noreturn(const struct parser *p, const ast_node *attribute)
{
    for (uint32_t t = attribute->first; t < attribute->last; t++) {
        if (token_is(p, t, "noreturn", "__noreturn__") || token_is(p, t, "_Noreturn", "_Noreturn"))
            return true;
    }
    return false;
}

static void push_attribute(struct parser *p, struct specifiers *s)
{
    ast_node *n = parse_attribute(p);
    strview cleanup = parse_cleanup_of(p, n);
    if (cleanup.len != 0) {
        s->cleanup = n;
        s->cleanup_function = cleanup;
    }
    s->is_noreturn = s->is_noreturn || parse_is_noreturn(p, n);
    parser_push(p, n);
}

static void push_attributes(struct parser *p)
{
    while (parse_at_attribute(p, p->pos))
        parser_push(p, parse_attribute(p));
}

/* ---- members and enumerators ----------------------------------------------------------------- */

bool parse_at_static_assert(struct parser *p)
{
    uint32_t token = p->pos;
    while (p->tokens[token].code == KW_EXTENSION)
        token = parser_next(p, token);
    return parser_code_at(p, token) == KW_STATIC_ASSERT;
}

ast_node *parse_static_assert(struct parser *p)
{
    uint32_t first = p->pos;
    size_t mark = parser_mark(p);
    while (parser_accept(p, KW_EXTENSION))
        continue;
    parser_advance(p);
    parser_expect(p, P_LPAREN, "expected '(' after static_assert");
    parser_push(p, parse_conditional(p));
    parser_push(p, parser_accept(p, P_COMMA) ? parse_string(p) : NULL);
    parser_expect(p, P_RPAREN, "expected ')' after a static assertion");
    parser_expect(p, P_SEMI, "expected ';' after a static assertion");
    return parser_finish(p, parser_node(p, AST_STATIC_ASSERT, first), mark);
}

static ast_node *parse_field(struct parser *p)
{
    size_t mark = parser_mark(p);
    struct specifiers specs;
    ast_node *n = parser_node(p, AST_FIELD_DECL, p->pos);
    parse_specifiers(p, &specs);
    parser_push(p, specs.node);
    if (specs.node->first == specs.node->last)
        parser_fail(p, "expected a member's type");
    if (!parser_at(p, P_SEMI) && !parser_at(p, P_RBRACE)) {
        do {
            parser_push(p, parse_field_declarator(p, &specs));
        } while (parser_accept(p, P_COMMA));
    }
    if (!parser_at(p, P_RBRACE))
        parser_expect(p, P_SEMI, "expected ';' after a member");
    return parser_finish(p, n, mark);
}

static void push_members(struct parser *p)
{
    while (!parser_at(p, P_RBRACE) && !parser_at_end(p)) {
        if (parser_accept(p, P_SEMI))
            continue;
        parser_push(p, parse_at_static_assert(p) ? parse_static_assert(p) : parse_field(p));
    }
}

static ast_node *parse_enumerator(struct parser *p)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_ENUMERATOR, p->pos);
    n->name_token = parser_take_name(p, "expected an enumerator");
    n->is_const_expr = true;
    while (parse_at_attribute(p, p->pos)) /* stays text: the value is the only child */
        parse_attribute(p);
    parser_push(p, parser_accept(p, P_ASSIGN) ? parse_conditional(p) : NULL);
    parser_finish(p, n, mark);
    if (!p->failed)
        n->ref = scope_declare(p, DECL_ENUMERATOR, n->name_token, n);
    return n;
}

static void push_enumerators(struct parser *p)
{
    while (!parser_at(p, P_RBRACE) && !parser_at_end(p)) {
        parser_push(p, parse_enumerator(p));
        if (!parser_accept(p, P_COMMA))
            break;
    }
}

/* ---- tags --------------------------------------------------------------------------------------
 */

/* The declaration of the tag that `n` names or defines. */
static ast_decl *tag_decl(struct parser *p, ast_node *n, bool is_definition)
{
    bool has_name = n->name_token != NO_TOKEN;
    ast_decl *known = has_name ? scope_find(p, NAMES_TAG, n->name_token) : NULL;
    bool is_forward = has_name && parser_at(p, P_SEMI);
    if (!is_definition && !is_forward)
        return known; /* NULL: of file scope, or declared by this mention */
    bool is_same =
        known != NULL && known->scope == p->scope && (is_forward || !known->is_complete_tag);
    ast_decl *d = is_same ? known : NULL;
    if (d == NULL)
        d = scope_declare(p, DECL_TAG, n->name_token, n);
    if (is_definition) {
        d->is_complete_tag = true;
        d->declarator = n;
    }
    return d;
}

static ast_node *parse_tag(struct parser *p)
{
    bool is_enum = parser_at(p, KW_ENUM);
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_TAG_DEF, p->pos);
    parser_advance(p);
    push_attributes(p);
    if (parser_may_name(p, p->pos))
        n->name_token = parser_take_name(p, "expected a tag");
    else if (!parser_at(p, P_LBRACE) && !(is_enum && parser_at(p, P_COLON)))
        parser_fail(p, "expected a tag or '{'");
    bool is_typed =
        is_enum && parser_at(p, P_COLON) && parse_starts_type(p, parser_next(p, p->pos));
    if (is_typed) {
        struct specifiers underlying;
        parser_advance(p);
        parse_specifiers(p, &underlying);
        parser_push(p, underlying.node);
    }
    if (p->failed)
        return parser_finish(p, n, mark);
    n->ref = tag_decl(p, n, parser_at(p, P_LBRACE));
    if (parser_accept(p, P_LBRACE)) {
        if (is_enum)
            push_enumerators(p);
        else
            push_members(p);
        parser_expect(p, P_RBRACE,
                      is_enum ? "expected '}' after the enumerators"
                              : "expected '}' after the members");
        push_attributes(p);
    }
    return parser_finish(p, n, mark);
}

/* ---- other type specifiers ----------------------------------------------------------------------
 */

/* `typeof (...)` and `_Alignas (...)`: an expression or a type name. */
static ast_node *parse_type_or_expression(struct parser *p, enum ast_kind kind)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, kind, p->pos);
    parser_advance(p);
    parser_expect(p, P_LPAREN, "expected '('");
    p->unevaluated += kind == AST_TYPEOF;
    parser_push(p, parse_starts_type(p, p->pos) ? parse_type_name(p) : parse_expression(p));
    p->unevaluated -= kind == AST_TYPEOF;
    parser_expect(p, P_RPAREN, "expected ')'");
    return parser_finish(p, n, mark);
}

static ast_node *parse_atomic_type(struct parser *p)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_ATOMIC_TYPE, p->pos);
    parser_advance(p);
    parser_expect(p, P_LPAREN, "expected '(' after _Atomic");
    parser_push(p, parse_type_name(p));
    parser_expect(p, P_RPAREN, "expected ')' after a type name");
    return parser_finish(p, n, mark);
}

/* ---- specifiers ---------------------------------------------------------------------------------
 */

bool parse_starts_type(struct parser *p, uint32_t token)
{
    uint16_t code = parser_code_at(p, token);
    if (code == 0)
        return scope_is_typedef(p, token);
    return (code >= KW_VOID && code <= KW_ADDRESS_SPACE) || code == KW_ATTRIBUTE ||
           code == KW_ALIGNAS || code == KW_ASYNC || code == KW_STATIC || code == KW_CONSTEXPR ||
           code == KW_THREAD_LOCAL || code == KW_REGISTER || code == KW_AUTO;
}

bool parse_starts_specifiers(struct parser *p, uint32_t token)
{
    while (parse_at_attribute(p, token) || p->tokens[token].code == KW_EXTENSION) {
        uint32_t next = p->tokens[token].code == KW_EXTENSION ? parser_next(p, token)
                                                              : parse_after_attributes(p, token);
        if (next == token)
            return false;
        token = next;
    }
    uint16_t code = parser_code_at(p, token);
    if (code == 0)
        return scope_is_typedef(p, token);
    return code >= KW_VOID && code <= KW_ASYNC;
}

/* Notes a keyword that is the specifiers' own token; false: it ends them. */
static bool take_keyword(struct parser *p, struct specifiers *s, uint16_t code)
{
    if (code < KW_VOID || code > KW_EXTENSION)
        return false;
    switch (code) {
    case KW_TYPEDEF:
        s->is_typedef = true;
        break;
    case KW_EXTERN:
        s->storage = STORAGE_EXTERN;
        break;
    case KW_STATIC:
        s->storage = STORAGE_STATIC;
        break;
    case KW_REGISTER:
        s->storage = STORAGE_REGISTER;
        break;
    case KW_CONSTEXPR:
        if (s->storage == STORAGE_AUTO)
            s->storage = STORAGE_CONSTEXPR;
        break;
    case KW_AUTO:
        s->is_auto = true;
        break;
    case KW_THREAD_LOCAL:
        s->is_thread_local = true;
        break;
    case KW_INLINE:
        s->is_inline = true;
        break;
    case KW_NORETURN:
        s->is_noreturn = true;
        break;
    case KW_ASYNC:
        s->is_async = true;
        break;
    case KW_BOOL:
        if (s->has_type) /* `typedef int bool;` where bool is no keyword */
            return false;
        s->has_type = true;
        break;
    default:
        s->has_type = s->has_type || code <= KW_AUTO_TYPE;
        break;
    }
    parser_advance(p);
    return true;
}

/* Takes a specifier that has children; false: it is none. */
static bool push_structured(struct parser *p, struct specifiers *s, uint16_t code)
{
    ast_node *n;
    switch (code) {
    case KW_STRUCT:
    case KW_UNION:
    case KW_ENUM:
        n = parse_tag(p);
        break;
    case KW_TYPEOF:
        n = parse_type_or_expression(p, AST_TYPEOF);
        break;
    case KW_ALIGNAS:
        parser_push(p, parse_type_or_expression(p, AST_ALIGNAS));
        return true;
    case KW_ATOMIC:
        if (s->has_type || p->tokens[parser_next(p, p->pos)].code != P_LPAREN)
            return false;
        n = parse_atomic_type(p);
        break;
    case KW_BITINT:
        parser_advance(p);
        parser_expect(p, P_LPAREN, "expected '(' after _BitInt");
        n = parse_conditional(p);
        parser_expect(p, P_RPAREN, "expected ')' after a width");
        break;
    default:
        return false;
    }
    s->has_type = true;
    parser_push(p, n);
    return true;
}

void parse_specifiers(struct parser *p, struct specifiers *s)
{
    *s = (struct specifiers){.node = parser_node(p, AST_SPECIFIERS, p->pos)};
    size_t mark = parser_mark(p);
    s->node->last = s->node->first;
    bool is_shallow = parser_enter(p);
    while (is_shallow && !parser_at_end(p)) {
        uint16_t code = parser_code(p);
        if (parse_at_attribute(p, p->pos)) {
            push_attribute(p, s);
        } else if (code == 0 && !s->has_type && scope_is_typedef(p, p->pos)) {
            s->has_type = true;
            parser_advance(p);
        } else if (!push_structured(p, s, code) && !take_keyword(p, s, code)) {
            break;
        }
    }
    parser_leave(p);
    bool is_empty = p->pos == s->node->first;
    parser_finish(p, s->node, mark);
    if (is_empty)
        s->node->last = s->node->first;
}

ast_node *parse_type_name(struct parser *p)
{
    size_t mark = parser_mark(p);
    ast_node *n = parser_node(p, AST_TYPE_NAME, p->pos);
    struct specifiers specs;
    parse_specifiers(p, &specs);
    parser_push(p, specs.node);
    if (specs.node->first == specs.node->last)
        parser_fail(p, "expected a type name");
    struct declarator d;
    uint32_t start = p->pos;
    parse_declarator(p, DECLARATOR_ABSTRACT, &d);
    parser_push(p, NULL);
    parser_finish(p, d.node, d.mark);
    parser_push(p, p->pos == start ? NULL : d.node);
    return parser_finish(p, n, mark);
}
