/* SPDX-License-Identifier: MIT */
/*
 * The parser's entry, its cursor and its stack of nodes (see ast_parse_internal.h), and the region
 * itself: one function definition.
 */
#include "analyzer/syntax/ast_parse_internal.h"

#include "analyzer/base/check.h"

/* ---- cursor --------------------------------------------------------------------------------- */

void parser_fail_at(struct parser *p, uint32_t token, const char *text)
{
    if (!p->failed) {
        p->failed = true;
        *p->error = (struct ast_parse_error){.offset = p->tokens[token].begin, .text = text};
    }
    p->pos = p->count;
    p->prev_end = p->count;
}

void parser_fail(struct parser *p, const char *text)
{
    parser_fail_at(p, p->pos, text);
}

uint32_t parser_next(const struct parser *p, uint32_t token)
{
    if (token < p->count)
        token++;
    while (p->tokens[token].kind == TOKEN_PRAGMA)
        token++;
    return token;
}

void parser_advance(struct parser *p)
{
    if (p->pos >= p->count)
        return;
    p->prev_end = p->pos + 1;
    p->pos = parser_next(p, p->pos);
}

uint16_t parser_code_at(struct parser *p, uint32_t token)
{
    const struct token *t = &p->tokens[token];
    if (t->kind != TOKEN_IDENT || !ast_lex_may_be_name(t->code, ast_token_text(p->fn, token)))
        return t->code;
    bool is_call_like = t->code == KW_VA_ARG || t->code == KW_OFFSETOF;
    if (is_call_like && p->tokens[parser_next(p, token)].code != P_LPAREN)
        return 0;
    return scope_find(p, NAMES_ORDINARY, token) != NULL || scope_is_typedef(p, token) ? 0 : t->code;
}

uint16_t parser_code(struct parser *p)
{
    return parser_code_at(p, p->pos);
}

bool parser_at(struct parser *p, uint16_t code)
{
    return p->tokens[p->pos].code == code && parser_code(p) == code;
}

bool parser_accept(struct parser *p, uint16_t code)
{
    if (!parser_at(p, code))
        return false;
    parser_advance(p);
    return true;
}

void parser_expect(struct parser *p, uint16_t code, const char *text)
{
    if (!parser_accept(p, code))
        parser_fail(p, text);
}

bool parser_at_end(const struct parser *p)
{
    return p->pos >= p->count;
}

bool parser_is_name(struct parser *p, uint32_t token)
{
    return p->tokens[token].kind == TOKEN_IDENT && parser_code_at(p, token) == 0;
}

bool parser_may_name(struct parser *p, uint32_t token)
{
    const struct token *t = &p->tokens[token];
    return t->kind == TOKEN_IDENT &&
           (t->code == 0 || ast_lex_may_be_name(t->code, ast_token_text(p->fn, token)));
}

uint32_t parser_take_name(struct parser *p, const char *text)
{
    uint32_t token = p->pos;
    if (!parser_may_name(p, token)) {
        parser_fail(p, text);
        return p->pos;
    }
    p->tokens[token].code = 0;
    parser_advance(p);
    return token;
}

static bool is_opening(uint16_t code)
{
    return code == P_LPAREN || code == P_LBRACKET || code == P_LBRACE;
}

static bool is_closing(uint16_t code)
{
    return code == P_RPAREN || code == P_RBRACKET || code == P_RBRACE;
}

uint32_t parser_after_balanced(const struct parser *p, uint32_t token)
{
    uint32_t open = 0;
    do {
        uint16_t code = p->tokens[token].code;
        if (is_opening(code))
            open++;
        else if (is_closing(code))
            open--;
        token = parser_next(p, token);
    } while (open != 0 && token < p->count);
    return token;
}

void parser_skip_balanced(struct parser *p)
{
    uint32_t start = p->pos, open = 0;
    do {
        uint16_t code = p->tokens[p->pos].code;
        if (is_opening(code))
            open++;
        else if (is_closing(code))
            open--;
        parser_advance(p);
    } while (open != 0 && !parser_at_end(p));
    if (open != 0)
        parser_fail_at(p, start, "no partner of this bracket");
}

bool parser_enter(struct parser *p)
{
    if (++p->depth <= AST_MAX_DEPTH)
        return true;
    parser_fail(p, "nesting deeper than 2000 levels");
    return false;
}

void parser_leave(struct parser *p)
{
    p->depth--;
}

/* ---- building nodes -------------------------------------------------------------------------- */

void parser_become(struct parser *p, ast_node *n, enum ast_kind kind)
{
    n->kind = kind;
    p->fn->kinds[kind / 64] |= (uint64_t)1 << kind % 64;
}

ast_node *parser_node(struct parser *p, enum ast_kind kind, uint32_t first)
{
    ast_node *n = ARENA_NEW(p->mem, ast_node);
    parser_become(p, n, kind);
    n->first = first;
    n->last = p->prev_end > first ? p->prev_end : first;
    n->name_token = NO_TOKEN;
    n->is_unevaluated = p->unevaluated != 0;
    return n;
}

size_t parser_mark(const struct parser *p)
{
    return p->stack.count;
}

void parser_push(struct parser *p, ast_node *kid)
{
    VEC_PUSH(p->mem, &p->stack, kid);
}

ast_node *parser_finish(struct parser *p, ast_node *n, size_t mark)
{
    AWC_ASSERT(mark <= p->stack.count);
    size_t count = p->stack.count - mark;
    n->last = p->prev_end > n->first ? p->prev_end : n->first;
    if (count != 0) {
        n->kid = ARENA_ARRAY(p->mem, ast_node *, count);
        memcpy(n->kid, p->stack.at + mark, count * sizeof *n->kid);
    }
    n->kid_count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        if (n->kid[i] != NULL)
            n->kid[i]->parent = n;
    }
    p->stack.count = mark;
    return n;
}

ast_node *parser_node1(struct parser *p, enum ast_kind kind, uint32_t first, ast_node *kid)
{
    size_t mark = parser_mark(p);
    parser_push(p, kid);
    return parser_finish(p, parser_node(p, kind, first), mark);
}

ast_node *parser_node2(struct parser *p, enum ast_kind kind, ast_node *left, ast_node *right)
{
    size_t mark = parser_mark(p);
    parser_push(p, left);
    parser_push(p, right);
    return parser_finish(p, parser_node(p, kind, left->first), mark);
}

/* ---- the function ---------------------------------------------------------------------------- */

bool parse_is_identifier_list(const ast_node *params)
{
    if (params->kid_count == 0)
        return false;
    const ast_node *specs = params->kid[0]->kid[0];
    return specs->first == specs->last;
}

/* The declarations of an old-style definition: they say what its parameters are, but are no nodes
 * of the tree. */
static void parse_old_style_declarations(struct parser *p)
{
    size_t mark = parser_mark(p);
    while (!parser_at(p, P_LBRACE) && !parser_at_end(p)) {
        struct specifiers specs;
        parse_specifiers(p, &specs);
        if (specs.node->first == specs.node->last) {
            parser_fail(p, "expected the function's body");
            return;
        }
        while (!parser_at(p, P_SEMI) && !parser_at_end(p)) {
            struct declarator d;
            parse_declarator(p, DECLARATOR_NAMED, &d);
            parser_push(p, NULL);
            parser_finish(p, d.node, d.mark);
            parser_node2(p, AST_DECL_STMT, specs.node, d.node); /* for its type: their parent */
            ast_decl *param = d.node->name_token == NO_TOKEN
                                  ? NULL
                                  : scope_find(p, NAMES_ORDINARY, d.node->name_token);
            if (param != NULL && param->kind == DECL_PARAM) {
                param->declarator = d.node;
                param->storage = specs.storage;
                d.node->ref = param;
            }
            if (!parser_accept(p, P_COMMA))
                break;
        }
        parser_expect(p, P_SEMI, "expected ';' after a parameter's declaration");
    }
    p->stack.count = mark;
}

/* The first of the parameters proper: GNU C may declare some in advance, up to a semicolon. */
static uint32_t first_param(const struct parser *p, const ast_node *params)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < params->kid_count; i++) {
        if (p->tokens[parser_next(p, params->kid[i]->last - 1)].code == P_SEMI)
            first = i + 1;
    }
    return first;
}

static void collect_params(struct parser *p, const ast_node *params)
{
    ast_function *fn = p->fn;
    for (uint32_t i = first_param(p, params); i < params->kid_count; i++) {
        if (params->kid[i]->ref != NULL)
            VEC_PUSH(p->mem, &fn->params, params->kid[i]->ref);
    }
    uint32_t before_end = params->last - 1;
    while (before_end > params->first && p->tokens[before_end - 1].kind == TOKEN_PRAGMA)
        before_end--;
    fn->is_variadic = p->tokens[before_end - 1].code == P_ELLIPSIS;
    fn->is_old_style = parse_is_identifier_list(params);
}

static void number_decls(ast_function *fn)
{
    size_t count = fn->decls.count, at = 0;
    ast_decl **sorted = ARENA_ARRAY(fn->mem, ast_decl *, count + 1);
    for (size_t i = 0; i < fn->params.count; i++) {
        fn->params.at[i]->id = UINT32_MAX;
        sorted[at++] = fn->params.at[i];
    }
    for (size_t i = 0; i < count; i++) {
        if (fn->decls.at[i]->id != UINT32_MAX)
            sorted[at++] = fn->decls.at[i];
    }
    AWC_ASSERT(at == count);
    for (size_t i = 0; i < count; i++)
        sorted[i]->id = (uint32_t)i;
    fn->decls.at = sorted;
    fn->decls.capacity = count + 1;
}

/* Gotos to labels that the function lacks name nothing. */
static void resolve_labels(struct parser *p)
{
    for (size_t i = 0; i < p->label_uses.count; i++) {
        ast_node *use = p->label_uses.at[i];
        if (use->ref->declarator == NULL)
            use->ref = NULL;
    }
}

/* Opens the function's scope with the parameters in it. What the result's type declares is outside:
 * a scope without a node, or none. */
static void open_function_scope(struct parser *p, ast_node *root, ast_node *params)
{
    ast_scope *outside = p->scope;
    scope_reopen(p, params->scope, root);
    outside->node = NULL;
    if (outside->decls.count == 0)
        p->scope->parent = NULL;
}

static void parse_function_body(struct parser *p, ast_node *root, const struct declarator *d)
{
    collect_params(p, d->own_params);
    open_function_scope(p, root, d->own_params);
    if (p->fn->is_old_style)
        parse_old_style_declarations(p);
    if (!parser_at(p, P_LBRACE))
        parser_fail(p, "expected the function's body");
    parser_push(p, parse_compound(p));
    if (!parser_at_end(p))
        parser_fail(p, "text after the function's end");
}

static void parse_function(struct parser *p)
{
    ast_function *fn = p->fn;
    size_t mark = parser_mark(p);
    ast_node *root = parser_node(p, AST_FUNCTION, 0);
    scope_open(p, root);
    struct specifiers specs;
    struct declarator d;
    parse_specifiers(p, &specs);
    parser_push(p, specs.node);
    parse_declarator(p, DECLARATOR_NAMED, &d);
    parser_push(p, NULL);
    parser_push(p, parser_finish(p, d.node, d.mark));
    if (!p->failed && d.derivation != DERIVED_FUNCTION)
        parser_fail(p, "expected a function definition");
    if (!p->failed)
        parse_function_body(p, root, &d);
    if (p->failed)
        return;
    parser_finish(p, root, mark);
    root->last = p->count;
    root->name_token = d.node->name_token;
    fn->root = root;
    fn->name = ast_lex_name(p->mem, ast_token_text(fn, root->name_token));
    fn->is_async = specs.is_async;
    fn->is_static = specs.storage == STORAGE_STATIC;
    fn->is_inline = specs.is_inline;
    fn->is_noreturn = specs.is_noreturn || d.is_noreturn;
    resolve_labels(p);
    number_decls(fn);
}

/* A parser at the first token of the request's text; p->tokens is NULL if there are none. */
static struct parser start_parser(const struct ast_parse_request *request,
                                  struct ast_parse_error *error)
{
    struct parser p = {.mem = request->mem, .request = request, .error = error};
    p.fn = ARENA_NEW(p.mem, ast_function);
    p.fn->mem = p.mem;
    p.fn->buffer = request->buffer;
    if (request->tokens != NULL) {
        p.count = request->token_count;
        p.tokens = ARENA_ARRAY(p.mem, struct token, (size_t)p.count + 1);
        memcpy(p.tokens, request->tokens, p.count * sizeof *p.tokens);
        p.tokens[p.count] =
            (struct token){.kind = TOKEN_END, .begin = request->end, .end = request->end};
    } else {
        p.tokens = ast_lex(p.mem, request->buffer, request->begin, request->end, &p.count, error);
    }
    p.fn->tokens = p.tokens;
    p.fn->token_count = p.count;
    while (p.tokens != NULL && p.tokens[p.pos].kind == TOKEN_PRAGMA)
        p.pos++;
    return p;
}

ast_function *ast_parse(const struct ast_parse_request *request, struct ast_parse_error *error)
{
    struct parser p = start_parser(request, error);
    if (p.tokens == NULL)
        return NULL;
    parse_function(&p);
    return p.failed ? NULL : p.fn;
}

ast_function *ast_parse_declaration(const struct ast_parse_request *request,
                                    struct ast_parse_error *error)
{
    struct parser p = start_parser(request, error);
    if (p.tokens == NULL)
        return NULL;
    p.is_lone_declaration = true;
    size_t mark = parser_mark(&p);
    ast_node *root = parser_node(&p, AST_COMPOUND, 0);
    scope_open(&p, root);
    while (parser_accept(&p, KW_EXTENSION))
        continue;
    parser_push(&p, parse_declaration(&p));
    if (!parser_at_end(&p))
        parser_fail(&p, "text after the declaration's end");
    parser_finish(&p, root, mark);
    if (p.failed)
        return NULL;
    root->last = p.count;
    p.fn->root = root;
    number_decls(p.fn);
    return p.fn;
}
