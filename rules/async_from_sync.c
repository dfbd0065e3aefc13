/* SPDX-License-Identifier: MIT */
/*
 * async-from-sync: plain code cannot wait, so an async call, an await or a form in it is an error;
 * a warning where the callee is async by a mere annotation (coroutine_fn), as such code may be
 * reached from a coroutine all the same. Silent where the code asked first whether it runs in one.
 */
#include "rules/async_calls.h"

/* Does a condition ask whether this is a coroutine or task? */
static bool asks_for_context(rule_cx *cx, const ast_node *n)
{
    if (n->kind == AST_CALL) {
        strview name = sema_callee_name(cx->sema, cx->fn, n);
        if (sv_ends(name, "in_coroutine") || sv_ends(name, "in_async") ||
            sv_is(name, "aw_task_self"))
            return true;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && asks_for_context(cx, n->kid[i]))
            return true;
    }
    return false;
}

static bool is_behind_question(rule_cx *cx, const ast_node *n)
{
    for (const ast_node *child = n, *p = n->parent; p != NULL; child = p, p = p->parent) {
        bool decides = (p->kind == AST_IF || p->kind == AST_CONDITIONAL) && child != p->kid[0];
        if (decides && asks_for_context(cx, p->kid[0]))
            return true;
        if (p->kind != AST_COMPOUND)
            continue;
        for (uint32_t i = 0; i < p->kid_count && p->kid[i] != child; i++) {
            if (p->kid[i]->kind == AST_IF && asks_for_context(cx, p->kid[i]->kid[0]))
                return true;
        }
    }
    return false;
}

static void report_call(rule_cx *cx, const ast_node *n)
{
    const char *self = arena_printf(cx->mem, "%.*s", SV_ARG(cx->fn->tree->name));
    if (n->kind == AST_FORM) {
        struct candidate *c = rule_report(cx, n,
                                          "this form waits for what it starts, which only an async "
                                          "function can; make '%s' async, "
                                          "or run the work to its end with aw_block_on",
                                          self);
        c->finding.severity = DIAG_ERROR;
        return;
    }
    const char *name = async_call_name(cx, n);
    bool is_keyword = async_call_is_keyword(cx, n);
    if (!is_keyword && is_behind_question(cx, n))
        return;
    struct candidate *c =
        is_keyword ? rule_report(cx, n,
                                 "the async function '%s' is called from plain code, which cannot "
                                 "wait for it; use 'aw_block_on(%s(...))', 'spawn(%s(...))', or "
                                 "make '%s' async",
                                 name, name, name, self)
                   : rule_report(cx, n,
                                 "'%s' runs in coroutines only, but is called from '%s', which is "
                                 "not marked as one; mark '%s', or start a coroutine for it",
                                 name, self, self);
    c->finding.severity = is_keyword ? DIAG_ERROR : DIAG_WARNING;
    rule_leaf(c, name);
}

static void report_awaits(rule_cx *cx, const ast_node *n)
{
    if (n->kind == AST_AWAIT && !n->is_unevaluated) {
        struct candidate *c =
            rule_report(cx, n,
                        "await stands only in an async function, since only it can suspend; make "
                        "'%.*s' async, or run the call to its end with aw_block_on",
                        SV_ARG(cx->fn->tree->name));
        c->finding.severity = DIAG_ERROR;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            report_awaits(cx, n->kid[i]);
    }
}

static void on_function(rule_cx *cx)
{
    if (async_is_any(cx->fn))
        return;
    if (ast_may_have(cx->fn->tree, AST_AWAIT))
        report_awaits(cx, cx->fn->tree->root);
    async_calls_unwaited(cx, report_call);
}

const struct rule_calls rule_async_from_sync = {.on_function = on_function};
