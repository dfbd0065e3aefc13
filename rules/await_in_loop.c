/* SPDX-License-Identifier: MIT */
/*
 * await-in-loop: a loop whose rounds only wait for work of their own, one after the other. The fix
 * is offered where a round is nothing but one await of a function without result: each becomes a
 * child of a scope.
 */
#include "analyzer/base/strbuf.h"
#include "rules/loop_awaits.h"

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

static void add_fix(rule_cx *cx, struct candidate *c, const ast_node *loop,
                    const struct await_site *site)
{
    const ast_node *body = loop->kid[loop->kind == AST_FOR ? 3 : 1];
    uint32_t begin, end, call_begin, call_end, await_begin, await_end;
    bool is_plain = (loop->kind == AST_FOR || loop->kind == AST_WHILE) && !site->is_form &&
                    loop->parent != NULL && loop->parent->kind == AST_COMPOUND;
    if (!is_plain || sema_type(cx->sema, cx->fn, site->node)->cls != CTYPE_VOID)
        return;
    const ast_node *s = only_statement(body);
    if (s->kind != AST_EXPR_STMT || sema_strip_parens(s->kid[0]) != site->node ||
        declares(cx->fn->tree, "scope"))
        return;
    if (!sema_source_range(cx->sema, cx->fn, loop, &begin, &end) ||
        !sema_source_range(cx->sema, cx->fn, site->operand, &call_begin, &call_end) ||
        !sema_source_range(cx->sema, cx->fn, site->node, &await_begin, &await_end))
        return;
    strview indent = indentation(cx, begin);
    strview call = {sema_unit_source(cx->sema).at + call_begin, call_end - call_begin};
    rule_fix(cx, c, "start the rounds in an aw_scope, some at a time");
    rule_fix_bytes(cx, c, begin, begin,
                   arena_printf(cx->mem, "aw_scope scope;\n%.*saw_scope_init(&scope, %d);\n%.*s",
                                SV_ARG(indent), SCOPE_LIMIT, SV_ARG(indent)));
    rule_fix_bytes(cx, c, await_begin, await_end,
                   arena_printf(cx->mem, "(void)await aw_scope_spawn(&scope, %.*s)", SV_ARG(call)));
    end = behind_comment(cx, end);
    rule_fix_bytes(
        cx, c, end, end,
        arena_printf(cx->mem, "\n%.*s(void)await aw_scope_wait(&scope);", SV_ARG(indent)));
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
