/* SPDX-License-Identifier: MIT */
/*
 * awaitc-drain-loop: an event source is read until it has nothing more. As long as the other side
 * is quick enough there always is more, and nothing else on the loop has its turn. Silent with a
 * budget, a wanted amount, an await in every round.
 */
#include "rules/event_source.h"

static void check_loop(rule_cx *cx, const ast_node *loop)
{
    const struct loop_shape *s = loop_shape_of(cx, loop);
    const ast_node *source = loop_drains(cx, s);
    if (source == NULL || s->is_limited || loop_yields(cx, s) || !loop_round_without_await(cx, s))
        return;
    const char *name = sema_text(cx->sema, cx->fn, source->kid[0], 40);
    bool is_async = cx->fn->tree->is_async;
    struct candidate *c = rule_report(
        cx, loop,
        "this loop ends only when '%s' has nothing more: a fast sender keeps it running, and %s; "
        "%s",
        name,
        is_async ? "every other task of its worker waits" : "the event loop serves nobody else",
        is_async ? "await the descriptor in each round, or stop after a number of rounds with "
                   "aw_yield"
                 : "stop after a number of rounds (32, say) and go on when the loop calls again");
    if (!tree_is_inside(source, tree_loop_condition(loop)))
        rule_note(cx, c, source, "the call whose result ends the loop");
    rule_leaf(c, name);
    rule_needs_loop(cx, c);
}

static void on_function(rule_cx *cx)
{
    struct loop_list loops = loops_of_function(cx);
    for (size_t i = 0; i < loops.all.count; i++)
        check_loop(cx, loops.all.at[i]);
}

const struct rule_calls rule_drain_loop = {.on_function = on_function};
