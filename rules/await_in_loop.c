/* SPDX-License-Identifier: MIT */
/*
 * await-in-loop: a loop whose rounds only wait for work of their own, one after the other. The fix
 * is offered where a round ends in its only await, of a function without result, or whose result is
 * tested for failure and nothing else: each becomes a child of a scope.
 */
#include "analyzer/base/strbuf.h"
#include "rules/await_order.h"
#include "rules/loop_awaits.h"
#include "rules/tree_terms.h"

enum { SCOPE_LIMIT = 16 };

static bool is_loop(const ast_node *n)
{
    return n->kind == AST_FOR || n->kind == AST_WHILE || n->kind == AST_DO;
}

/* The only statement of a body, through braces. */
static const ast_node *only_statement(const ast_node *body)
{
    while (body->kind == AST_COMPOUND && body->kid_count == 1)
        body = body->kid[0];
    return body;
}

static bool mentions_name(const ast_function *fn, const ast_node *n, const char *name)
{
    if (n->kind == AST_IDENT && sv_is(ast_node_text(fn, n), name))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && mentions_name(fn, n->kid[i], name))
            return true;
    }
    return false;
}

static bool declares(const ast_function *fn, const char *name)
{
    for (size_t i = 0; i < fn->decls.count; i++) {
        if (sv_is(fn->decls.at[i]->name, name))
            return true;
    }
    return mentions_name(fn, fn->root, name);
}

static strview indentation(rule_cx *cx, uint32_t at)
{
    strview source = sema_unit_source(cx->sema);
    uint32_t begin = at;
    while (begin > 0 && source.at[begin - 1] != '\n')
        begin--;
    uint32_t end = begin;
    while (end < at && (source.at[end] == ' ' || source.at[end] == '\t'))
        end++;
    return (strview){source.at + begin, end - begin};
}

/* Behind a comment that ends the line at `at`, or `at` itself. */
static uint32_t behind_comment(rule_cx *cx, uint32_t at)
{
    strview source = sema_unit_source(cx->sema);
    uint32_t n = at;
    while (n < source.len && (source.at[n] == ' ' || source.at[n] == '\t'))
        n++;
    if (n + 1 >= source.len || source.at[n] != '/' || source.at[n + 1] != '/')
        return at;
    while (n < source.len && source.at[n] != '\n')
        n++;
    return n;
}

/* Is it the only await of the loop? */
static bool is_only_site(rule_cx *cx, const ast_node *loop, const struct await_site *site)
{
    const struct await_sites *sites = await_sites_of(cx, cx->fn);
    for (uint32_t i = 0; i < sites->count; i++) {
        const ast_node *n = sites->at[i].node;
        if (&sites->at[i] != site && n->first >= loop->first && n->last <= loop->last)
            return false;
    }
    return true;
}

/* What the last statement of a round does with its await. */
struct round_end {
    const ast_node *leaving; /* `return rc` of if (rc < 0) return rc; NULL: nothing */
    const ast_node *local;   /* the declarator of rc; NULL: the await stands in the check itself */
};

static bool is_negative_test(rule_cx *cx, const ast_node *n)
{
    int64_t zero;
    n = sema_strip_parens(n);
    return n->kind == AST_BINARY && n->op == OP_LT &&
           sema_constant(cx->sema, cx->fn, n->kid[1], &zero) && zero == 0;
}

/* A statement that leaves the function, or goes to its end, and gives what no round has. */
static const ast_node *leaving_statement(const ast_node *s)
{
    s = only_statement(s);
    return s->kind == AST_RETURN || s->kind == AST_GOTO ? s : NULL;
}

static bool is_fresh_in(const ast_node *loop, const ast_decl *d)
{
    return d != NULL && d->declarator != NULL && d->declarator->first >= loop->first &&
           d->declarator->last <= loop->last;
}

/* Does the text mention what the loop declares, but for one local? */
static bool mentions_fresh(const ast_node *loop, const ast_node *n, const ast_decl *but)
{
    if (n->kind == AST_IDENT && n->ref != but && is_fresh_in(loop, n->ref))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && mentions_fresh(loop, n->kid[i], but))
            return true;
    }
    return false;
}

/* Does an argument give the address of what the round declares? It is gone when the child runs. */
static bool gives_fresh_address(rule_cx *cx, const ast_node *loop, const ast_node *n)
{
    bool is_address = n->kind == AST_UNARY && n->op == OP_ADDR;
    bool is_array = n->kind == AST_IDENT && is_fresh_in(loop, n->ref) &&
                    sema_type(cx->sema, cx->fn, n)->cls == CTYPE_ARRAY;
    if (is_array || (is_address && sema_strip(n->kid[0])->kind == AST_IDENT &&
                     is_fresh_in(loop, sema_strip(n->kid[0])->ref)))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && gives_fresh_address(cx, loop, n->kid[i]))
            return true;
    }
    return false;
}

/* if (await f(x) < 0) return -1;   or   int rc = await f(x); if (rc < 0) return rc; */
static bool read_check(rule_cx *cx, const ast_node *loop, const ast_node *body,
                       const struct await_site *site, struct round_end *out)
{
    const ast_node *last =
        body->kind == AST_COMPOUND && body->kid_count != 0 ? body->kid[body->kid_count - 1] : body;
    const ast_node *leaving =
        last->kind == AST_IF && last->kid[2] == NULL ? leaving_statement(last->kid[1]) : NULL;
    const ctype *type = sema_type(cx->sema, cx->fn, site->node);
    if (leaving == NULL || has_await(last->kid[1]) || !is_negative_test(cx, last->kid[0]) ||
        type->cls != CTYPE_INT || type->size_bytes != 4 || type->is_unsigned)
        return false;
    const ast_node *tested = sema_strip_parens(sema_strip_parens(last->kid[0])->kid[0]);
    *out = (struct round_end){.leaving = leaving};
    if (tested == site->node)
        return !mentions_fresh(loop, leaving, NULL);
    const ast_node *before =
        last != body && body->kid_count > 1 ? body->kid[body->kid_count - 2] : NULL;
    const ast_node *d = before != NULL && before->kind == AST_DECL_STMT && before->kid_count == 2
                            ? before->kid[1]
                            : NULL;
    bool is_given = d != NULL && d->kind == AST_DECLARATOR && d->ref != NULL && d->kid_count != 0 &&
                    d->kid[d->kid_count - 1] != NULL &&
                    sema_strip_parens(d->kid[d->kid_count - 1]) == site->node;
    out->local = d;
    return is_given && tested->kind == AST_IDENT && tested->ref == d->ref &&
           !mentions_fresh(loop, leaving, d->ref);
}

/* `await f(x);` by itself, of a function without result. */
static bool is_only_await(rule_cx *cx, const ast_node *body, const struct await_site *site)
{
    const ast_node *s =
        body->kind == AST_COMPOUND && body->kid_count != 0 ? body->kid[body->kid_count - 1] : body;
    return sema_type(cx->sema, cx->fn, site->node)->cls == CTYPE_VOID && s->kind == AST_EXPR_STMT &&
           sema_strip_parens(s->kid[0]) == site->node;
}

/* Is a leaving statement `return rc;` of that local? */
static bool returns_local(const ast_node *leaving, const ast_decl *d)
{
    const ast_node *value = leaving->kind == AST_RETURN ? leaving->kid[0] : NULL;
    value = value == NULL ? NULL : sema_strip_parens(value);
    return value != NULL && value->kind == AST_IDENT && value->ref == d;
}

/* What stands behind the loop: the wait, and the check of its result. */
static const char *wait_text(rule_cx *cx, const struct round_end *e, strview indent)
{
    uint32_t begin, end;
    if (e->leaving == NULL)
        return arena_printf(cx->mem, "\n%.*s(void)await aw_scope_wait(&scope);", SV_ARG(indent));
    if (e->local != NULL && returns_local(e->leaving, e->local->ref))
        return arena_printf(cx->mem,
                            "\n%.*sint waited = await aw_scope_wait(&scope);"
                            "\n%.*sif (waited < 0)\n%.*s    return waited;",
                            SV_ARG(indent), SV_ARG(indent), SV_ARG(indent));
    if (!sema_source_range(cx->sema, cx->fn, e->leaving, &begin, &end) ||
        (e->local != NULL && tree_mentions(cx->fn->tree, e->leaving,
                                           &(ast_node){.kind = AST_IDENT, .ref = e->local->ref})))
        return NULL;
    return arena_printf(cx->mem, "\n%.*sif (await aw_scope_wait(&scope) < 0)\n%.*s    %.*s",
                        SV_ARG(indent), SV_ARG(indent), (int)(end - begin),
                        sema_unit_source(cx->sema).at + begin);
}

/* Would a jump from in front of the loop lead over the scope's declaration? */
static bool is_jumped_over(const ast_node *loop, const ast_node *n)
{
    if ((n->kind == AST_GOTO && n->first < loop->first) || n->kind == AST_GOTO_COMPUTED)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && is_jumped_over(loop, n->kid[i]))
            return true;
    }
    return loop->parent->parent != NULL && loop->parent->parent->kind == AST_SWITCH;
}

static void add_fix(rule_cx *cx, struct candidate *c, const ast_node *loop,
                    const struct await_site *site)
{
    const ast_node *body = loop->kid[loop->kind == AST_FOR ? 3 : 1];
    struct round_end round = {NULL, NULL};
    uint32_t begin, end, unused, call_begin, call_end, await_begin, await_end;
    bool is_plain = (loop->kind == AST_FOR || loop->kind == AST_WHILE) && !site->is_form &&
                    loop->parent != NULL && loop->parent->kind == AST_COMPOUND;
    if (!is_plain || (!is_only_await(cx, body, site) && !read_check(cx, loop, body, site, &round)))
        return;
    if (declares(cx->fn->tree, "scope") || declares(cx->fn->tree, "waited") ||
        gives_fresh_address(cx, loop, site->operand) || !is_only_site(cx, loop, site) ||
        is_jumped_over(loop, cx->fn->tree->root))
        return;
    if (!sema_source_token(cx->sema, cx->fn, loop->first, &begin, &unused) ||
        !sema_source_token(cx->sema, cx->fn, loop->last - 1, &unused, &end) ||
        !sema_source_range(cx->sema, cx->fn, site->operand, &call_begin, &call_end) ||
        !sema_source_range(cx->sema, cx->fn, site->node, &await_begin, &await_end))
        return;
    strview indent = indentation(cx, begin);
    strview call = {sema_unit_source(cx->sema).at + call_begin, call_end - call_begin};
    const char *wait = wait_text(cx, &round, indent);
    if (wait == NULL)
        return;
    rule_fix(cx, c, "start the rounds in an aw_scope, some at a time");
    rule_fix_bytes(cx, c, begin, begin,
                   arena_printf(cx->mem, "aw_scope scope;\n%.*saw_scope_init(&scope, %d);\n%.*s",
                                SV_ARG(indent), SCOPE_LIMIT, SV_ARG(indent)));
    rule_fix_bytes(cx, c, await_begin, await_end,
                   arena_printf(cx->mem, "%sawait aw_scope_spawn(&scope, %.*s)",
                                round.leaving == NULL ? "(void)" : "", SV_ARG(call)));
    end = behind_comment(cx, end);
    rule_fix_bytes(cx, c, end, end, wait);
}

static void check_loop(rule_cx *cx, const ast_node *loop)
{
    const struct await_site *site = loop_awaits_site(cx, loop);
    if (site == NULL)
        return;
    const char *name = site->call_count > 0 && site->calls[0].name.len != 0
                           ? arena_printf(cx->mem, "%.*s", SV_ARG(site->calls[0].name))
                           : sema_text(cx->sema, cx->fn, site->operand, 40);
    struct candidate *c = rule_report(
        cx, site->node,
        "each round of this loop waits for '%s' before the next one starts, although no round "
        "needs "
        "another's result; start them in an aw_scope with a limit ('aw_scope_spawn'), or several "
        "with one 'aw_all(...)'",
        name);
    rule_leaf(c, name);
    rule_note(cx, c, loop, "the loop");
    add_fix(cx, c, loop, site);
}

static void walk(rule_cx *cx, const ast_node *n)
{
    if (is_loop(n))
        check_loop(cx, n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            walk(cx, n->kid[i]);
    }
}

static void on_function(rule_cx *cx)
{
    if (await_function_awaits(cx, cx->fn))
        walk(cx, cx->fn->tree->root);
}

const struct rule_calls rule_await_in_loop = {.on_function = on_function};
