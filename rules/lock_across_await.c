/* SPDX-License-Identifier: MIT */
/*
 * awaitc-lock-across-await: each await at which a lock that belongs to a thread is held, on some
 * way. A lock that the await itself gives back first, or takes at its end, is not.
 */
#include "rules/lock_sections.h"

static void report(void *context, const lock_sections *s, const ast_node *at, uint64_t held)
{
    rule_cx *cx = context;
    bool is_first = true;
    struct candidate *c = NULL;
    for (size_t i = 0; i < s->takes.count; i++) {
        const struct lock_take *t = &s->takes.at[i];
        if (!((held >> i) & 1))
            continue;
        if (is_first) {
            c = rule_report(
                cx, at,
                "'%s' is held across this await: the task may go on in another thread, "
                "which must not unlock it, and who waits for it blocks a worker; unlock "
                "before the await, or use an async lock (aw_mutex)",
                t->name);
            rule_leaf(c, t->name);
        }
        is_first = false;
        rule_note(cx, c, t->call, "'%s' is locked here", t->name);
    }
}

static void on_unit(rule_cx *cx)
{
    lock_report_held(cx, HELD_THREAD_LOCK, report);
}

const struct rule_calls rule_lock_across_await = {.on_unit = on_unit};
