/* SPDX-License-Identifier: MIT */
/*
 * missing-await: an async call in async code that nobody waits for, which therefore never runs, is
 * an error. So is a form without its await. A task's handle that is kept but never joined, detached
 * or handed on is a warning, at the spawn.
 */
#include <string.h>

#include "rules/async_calls.h"
#include "rules/task_handles.h"

static const char *await_word(rule_cx *cx)
{
    strview source = sema_unit_source(cx->sema);
    const char word[] = "AWAITC_NO_KEYWORDS";
    return memmem(source.at, source.len, word, sizeof word - 1) != NULL ? "aw_await" : "await";
}

static bool binds_tighter(const ast_node *n)
{
    const ast_node *p = n->parent;
    return p != NULL && (p->kind == AST_MEMBER || p->kind == AST_POSTFIX ||
                         ((p->kind == AST_INDEX || p->kind == AST_CALL) && p->kid[0] == n));
}

static void add_fix(rule_cx *cx, struct candidate *c, const ast_node *n)
{
    uint32_t begin, end;
    if (!sema_source_range(cx->sema, cx->fn, n, &begin, &end))
        return;
    bool parens = binds_tighter(n);
    rule_fix(cx, c, "await it");
    rule_fix_bytes(cx, c, begin, begin,
                   arena_printf(cx->mem, "%s%s ", parens ? "(" : "", await_word(cx)));
    if (parens)
        rule_fix_bytes(cx, c, end, end, ")");
}

static void report_unwaited(rule_cx *cx, const ast_node *n)
{
    struct candidate *c;
    if (n->kind == AST_CALL) {
        if (!async_call_is_keyword(cx, n))
            return;
        const char *name = async_call_name(cx, n);
        c = rule_report(cx, n,
                        "the async function '%s' is called without await, so it would never run; "
                        "write 'await %s(...)', or 'spawn(%s(...))' to run it as a task of its own",
                        name, name, name);
        rule_leaf(c, name);
    } else {
        c = rule_report(cx, n, "this form waits for what it starts, so it needs 'await' in front");
    }
    c->finding.severity = DIAG_ERROR;
    add_fix(cx, c, n);
}

static void report_handle(rule_cx *cx, const ast_node *spawn, const char *name, bool is_overwritten)
{
    struct candidate *c;
    if (is_overwritten)
        c = rule_report(
            cx, spawn,
            "the handle of this task is kept in '%s', which is given another one before "
            "anybody joins it, so that nobody can; join each task, or start it with a "
            "plain 'spawn(...)' if nobody needs its result",
            name);
    else
        c = rule_report(
            cx, spawn,
            "the handle of this task is kept in '%s' but neither joined, detached nor "
            "handed on, so its result and its memory are lost; 'await aw_join(%s, ...)', "
            "or drop the handle if nobody needs the result",
            name, name);
    c->finding.severity = DIAG_WARNING;
    rule_leaf(c, name);
}

static void on_function(rule_cx *cx)
{
    if (async_is_keyword(cx->fn))
        async_calls_unwaited(cx, report_unwaited);
    task_handles_lost(cx, report_handle);
}

const struct rule_calls rule_missing_await = {.on_function = on_function};
