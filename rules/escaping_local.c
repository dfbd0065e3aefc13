/* SPDX-License-Identifier: MIT */
/*
 * awaitc-escaping-local: the store or call that lets the address of a local out to something that
 * may outlive it: a task that is not joined at the next await, an object, a callback.
 */
#include "rules/local_escapes.h"

static const char *local_name(rule_cx *cx, const struct escape_site *s)
{
    return arena_printf(cx->mem, "%.*s", SV_ARG(s->local->name));
}

static struct candidate *report_task(rule_cx *cx, const struct escape_site *s,
                                     const ast_node *await)
{
    const char *name = local_name(cx, s);
    if (s->kind == ESCAPE_SCOPE)
        return rule_report(cx, s->at,
                           "the address of '%s' is given to a child of a scope that lives longer "
                           "than '%s' does; declare it beside the scope, or pass it by value",
                           name, name);
    if (s->handle == NULL)
        return rule_report(cx, s->at,
                           "the address of '%s' is given to a task that nobody waits for, and that "
                           "may run when this function has ended; pass the value, or memory of the "
                           "task's own, or use aw_all or an aw_scope",
                           name);
    struct candidate *c = rule_report(
        cx, s->at,
        "the address of '%s' is given to a task that may outlive it: its join is not the next "
        "await, so a cancel or a return leaves it running; use aw_all or an aw_scope, or give it "
        "memory of its own",
        name);
    if (await != NULL)
        rule_note(cx, c, await, "this await comes first");
    return c;
}

static void report(rule_cx *cx, const struct escape_site *s, const ast_node *await)
{
    const char *name = local_name(cx, s);
    struct candidate *c;
    if (s->kind == ESCAPE_TASK || s->kind == ESCAPE_SCOPE)
        c = report_task(cx, s, await);
    else if (s->kind == ESCAPE_STORE)
        c = rule_report(cx, s->at,
                        "the address of '%s' is stored in something that outlives this function; "
                        "allocate it, or clear the store before the function ends",
                        name);
    else
        c = rule_report(cx, s->at,
                        "the address of '%s' is given to '%s', which uses it when this function "
                        "has ended; allocate it, or keep it in an object that lives as long",
                        name, sema_text(cx->sema, cx->fn, s->holder, 40));
    rule_leaf(c, name);
    rule_note_at(cx, c, sema_token_place(cx->sema, cx->fn, s->local->token), NULL,
                 "'%s' lives in this function only", name);
}

static void on_function(rule_cx *cx)
{
    local_escapes_check(cx, report);
}

const struct rule_calls rule_escaping_local = {.on_function = on_function};
