/* SPDX-License-Identifier: MIT */
/*
 * awaitc-resource-across-await: each await at which something is held that a pair of the
 * configuration (Pairs) acquires and releases.
 */
#include "analyzer/program/lint_settings.h"
#include "rules/lock_sections.h"

static void report(void *context, const lock_sections *s, const ast_node *at, uint64_t held)
{
    rule_cx *cx = context;
    struct candidate *c = NULL;
    for (size_t i = 0; i < s->takes.count; i++) {
        const struct lock_take *t = &s->takes.at[i];
        if (!((held >> i) & 1))
            continue;
        if (c == NULL) {
            c = rule_report(cx, at,
                            "what '%s' acquired is held across this await, as long as that takes; "
                            "release it ('%s') before the await and acquire it again behind it",
                            t->name, t->pair->release);
            rule_leaf(c, t->pair->acquire);
        }
        rule_note(cx, c, t->call, "acquired here");
    }
}

static void on_unit(rule_cx *cx)
{
    if (cx->settings->config->pairs.count != 0)
        lock_report_held(cx, HELD_PAIR, report);
}

const struct rule_calls rule_resource_across_await = {.on_unit = on_unit};
