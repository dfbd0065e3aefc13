/* SPDX-License-Identifier: MIT */
/*
 * awaitc-leak-on-cancel: a descriptor or block that the function acquires, and releases itself or
 * hands on later, is alive at an await, and neither `defer` nor a `cleanup` attribute releases it
 * when the task is cancelled there. It stands at the call that acquires. From where it is handed on
 * (returned, stored in an object that outlives the function, given to a task, kept by a callee) it
 * is another's business; what the function never gives away is lost without a cancel, too.
 */
#include "rules/defer_fix.h"

static const char *kind_text(enum owned_kind kind)
{
    switch (kind) {
    case OWNED_DESCRIPTOR:
        return "descriptor";
    case OWNED_STREAM:
        return "stream";
    case OWNED_HEAP:
        return "block";
    case OWNED_OBJECT:
        break;
    }
    return "object";
}

static void report_released(rule_cx *cx, const struct owned_site *s, const ast_node *await)
{
    const char *release = sema_text(cx->sema, cx->fn, s->release, 60);
    struct candidate *c = rule_report(
        cx, s->call,
        "the %s '%s' is alive at an await, and nothing releases it if the task is cancelled there; "
        "write 'defer { %s; }' behind this",
        kind_text(s->row->kind), s->name, release);
    rule_leaf(c, s->name);
    rule_note(cx, c, await, "a cancel here leaks it");
    rule_note(cx, c, s->release, "this release is not reached then");
    defer_fix_add(cx, c, s);
}

static void report(rule_cx *cx, const struct owned_site *s, const ast_node *await)
{
    if (s->release != NULL) {
        report_released(cx, s, await);
        return;
    }
    struct candidate *c = rule_report(
        cx, s->call,
        "the %s '%s' is alive at an await before it is handed on, and nothing releases it if the "
        "task is cancelled there; write a 'defer' that calls '%.*s' unless it was handed on",
        kind_text(s->row->kind), s->name, SV_ARG(s->row->release));
    rule_leaf(c, s->name);
    rule_note(cx, c, await, "a cancel here leaks it");
    rule_note(cx, c, s->handover, "it is handed on here");
}

static void on_function(rule_cx *cx)
{
    if (sv_is(cx->fn->tree->name, "main")) /* nobody cancels it */
        return;
    owned_values_check(cx, report);
}

const struct rule_calls rule_leak_on_cancel = {.on_function = on_function};
