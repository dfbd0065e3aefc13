/* SPDX-License-Identifier: MIT */
/*
 * Which loops does a function have, and how are they left? Loops are compared in short form: the
 * statement's first word (`goto` for a loop of gotos), `*` if it repeats, its depth, the loop
 * around it, and its exits.
 */
#include "analyzer/base/check.h"
#include "analyzer/flow/tree_loops.h"
#include "tests/unit/tree_fixture.h"

static void print_exits(arena *mem, const tree_loops *l, uint32_t loop, strbuf *out)
{
    static const char *const words[] = {
        [TREE_EXIT_CONDITION] = "",        [TREE_EXIT_BREAK] = "break",
        [TREE_EXIT_GOTO] = "goto",         [TREE_EXIT_RETURN] = "return",
        [TREE_EXIT_NORETURN] = "noreturn", [TREE_EXIT_CANCEL] = "cancel",
    };
    const tree_cfg *g = l->graph;
    struct tree_edge_list exits = tree_loops_exits(mem, l, loop);
    for (uint32_t i = 0; i < exits.count; i++) {
        const struct tree_edge *e = &g->edges[exits.at[i]];
        enum tree_exit_kind kind = tree_loops_exit_kind(e);
        strbuf_fmt(out, " %s", words[kind]);
        if (kind != TREE_EXIT_CONDITION)
            continue;
        strbuf_str(out, e->kind == TREE_FALSE ? "!" : "");
        if (e->cond != NULL)
            strbuf_sv(out, ast_node_text(g->fn, e->cond));
        else
            strbuf_str(out, "end");
    }
}

static void check(arena *mem, const char *body, const char *expected)
{
    tree_cfg *g = tree_of(mem, body);
    tree_loops *l = tree_loops_find(mem, g);
    strbuf out = strbuf_in(mem);
    for (uint32_t i = 0; i < l->count; i++) {
        const struct tree_loop *loop = &l->at[i];
        strbuf_str(&out, i == 0 ? "" : "; ");
        if (loop->node != NULL)
            strbuf_sv(&out, ast_token_text(g->fn, loop->node->first));
        else
            strbuf_str(&out, "goto");
        strbuf_fmt(&out, "%s %u", loop->repeats ? "*" : "", loop->depth);
        if (loop->parent != TREE_NONE)
            strbuf_fmt(&out, " in %u", loop->parent);
        strbuf_char(&out, ':');
        print_exits(mem, l, i, &out);
    }
    if (strcmp(strbuf_text(&out), expected) != 0)
        fail_msg("%s\n%s\n%s", body, strbuf_text(&out), expected);
}

static void statements_that_repeat(void **state)
{
    arena *mem = *state;
    check(mem, "while (a) b();", "while* 1: !a");
    check(mem, "while (a && (b || !c)) d();", "while* 1: !a c");
    check(mem, "do { a(); } while (0);", "do 1: end");
    check(mem, "do { a(); } while (b);", "do* 1: !b");
    check(mem, "do { if (a) continue; b(); } while (0);", "do 1: end");
    check(mem, "for (;;) a();", "for* 1:");
    check(mem, "for (int i = 0; i < n; i++) a();", "for* 1: !i < n");
    check(mem, "while (a) { b(); return; }", "while 1: !a return");
}

static void exits_say_how_they_leave(void **state)
{
    arena *mem = *state;
    check(mem, "for (;;) { if (a) break; if (b) return; if (c) goto x; if (d) die(); } x: ;",
          "for* 1: break return goto noreturn");
    check(mem, "while (a) { switch (b) { case 1: break; default: continue; } }", "while* 1: !a");
    check(mem, "for (;;) { while (a) { if (b) break; } break; }",
          "for 1: break; while* 2 in 0: !a break");
}

static void nests(void **state)
{
    arena *mem = *state;
    check(mem, "while (a) { for (;;) { if (b) break; } do { c(); } while (0); }",
          "while* 1: !a; for* 2 in 0: break; do 2 in 0: end");
    check(mem, "do { while (a) b(); } while (0);", "do 1: end; while* 2 in 0: !a");
}

static void gotos_make_loops(void **state)
{
    arena *mem = *state;
    check(mem, "again: a(); if (b) goto again;", "goto* 1: !b");
    check(mem, "again: while (a) { if (b) goto again; }", "while* 2 in 1: !a goto; goto* 1: !a");
    check(mem, "while (a) { again: if (b) goto again; }", "while* 1: !a; goto* 2 in 0: !b");
    check(mem, "do { again: if (b) goto again; } while (0);", "do 1: end; goto* 2 in 0: !b");
    /* into the middle of a loop: its condition dominates nothing */
    check(mem, "goto x; while (a) { b(); x: c(); }", "while 1: !a; goto* 2 in 0: !a");
}

static void blocks_know_their_loops(void **state)
{
    arena *mem = *state;
    tree_cfg *g = tree_of(mem, "while (a) { if (b) { c(); break; } d(); for (;;) e(); }");
    tree_loops *l = tree_loops_find(mem, g);
    uint32_t c = g->items[tree_item_of(g, "c()")].block, d = g->items[tree_item_of(g, "d()")].block;
    uint32_t e = g->items[tree_item_of(g, "e()")].block;
    const ast_node *loop = g->fn->root->kid[2]->kid[0];
    assert_int_equal(tree_loops_of(l, loop), 0);
    assert_int_equal(tree_loops_of(l, loop->kid[1]), TREE_NONE);
    assert_true(tree_loops_contains(l, 0, c) && tree_loops_contains(l, 0, e));
    assert_false(tree_loops_contains(l, 1, d));
    assert_true(tree_loops_cycles(l, 1, e));
    assert_false(tree_loops_cycles(l, 0, c)); /* it is never run again */
    assert_false(l->at[0].repeats);           /* the inner loop never ends */
    assert_int_equal(l->innermost[e], 1);
    assert_int_equal(l->innermost[c], TREE_NONE);
}

static void each_copy_of_a_deferred_loop_is_one(void **state)
{
    arena *mem = *state;
    check(mem, "__awaitc_defer__ { while (a) b(); } if (c) return;", "while* 1: !a; while* 1: !a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TREE_TEST(statements_that_repeat),
        TREE_TEST(exits_say_how_they_leave),
        TREE_TEST(nests),
        TREE_TEST(gotos_make_loops),
        TREE_TEST(blocks_know_their_loops),
        TREE_TEST(each_copy_of_a_deferred_loop_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
