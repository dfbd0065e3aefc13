/* SPDX-License-Identifier: MIT */
/*
 * Does the solver find what holds at each item, in both directions, over sets and over states of an
 * analysis's own? The sets are of the calls a(), b(), ... (bit 0, 1, ...) that may or must have
 * been made, or are still to be made.
 */
#include "analyzer/base/check.h"
#include "analyzer/flow/tree_flow.h"
#include "tests/unit/tree_fixture.h"

/* ---- sets ----------------------------------------------------------------------------------- */

enum { LETTERS = 8 };

/* Of a call x(): its letter's number; else -1. */
static int letter_of(const tree_cfg *g, const ast_node *n)
{
    strview text = ast_node_text(g->fn, n);
    if (n->kind != AST_CALL || text.len != 3 || text.at[0] < 'a' || text.at[0] >= 'a' + LETTERS)
        return -1;
    return text.at[0] - 'a';
}

static void add_call(void *context, const struct tree_item *item, bitset *set)
{
    int letter = letter_of(context, item->node);
    if (letter >= 0)
        bitset_add(set, (uint32_t)letter);
}

/* What is known false is as if it had been called: `if (a())`. */
static bool add_false(void *context, const struct tree_edge *edge, bitset *set)
{
    int letter = edge->kind == TREE_FALSE ? letter_of(context, edge->cond) : -1;
    if (letter >= 0)
        bitset_add(set, (uint32_t)letter + LETTERS);
    return edge->kind != TREE_TRUE || letter_of(context, edge->cond) < 0 ||
           !bitset_has(set, (uint32_t)letter_of(context, edge->cond) + LETTERS);
}

/* The set in front of (backwards: behind) here(), or "none". */
static void check(arena *mem, const char *body, struct tree_sets sets, const char *expected)
{
    tree_cfg *g = tree_of(mem, body);
    sets.capacity = 2 * LETTERS;
    sets.transfer = add_call;
    sets.context = g;
    tree_flow *flow = tree_flow_solve_sets(mem, g, &sets);
    assert_true(flow->is_complete);
    const bitset *set = tree_flow_at(mem, flow, tree_item_of(g, "here()"));
    strbuf out = strbuf_in(mem);
    if (set == NULL)
        strbuf_str(&out, "none");
    else
        BITSET_FOR_EACH (i, set)
            strbuf_char(&out, (char)(i < LETTERS ? 'a' + (int)i : 'A' + (int)(i - LETTERS)));
    if (strcmp(strbuf_text(&out), expected) != 0)
        fail_msg("%s\n%s\n%s", body, strbuf_text(&out), expected);
}

static void unions_hold_on_some_way(void **state)
{
    const struct tree_sets may = {.meet = TREE_UNION};
    check(*state, "a(); if (p) b(); else c(); here(); d();", may, "abc");
    check(*state, "while (p) { here(); a(); } b();", may, "a");
    check(*state, "for (;;) { if (a()) break; b(); } here();", may, "ab");
    check(*state, "if (p) { a(); die(); } here();", may, "");
    check(*state, "return; here();", may, "none");
    check(*state, "if (p) goto x; a(); x: here(); b(); if (p) goto x;", may, "ab");
}

static void intersections_hold_on_every_way(void **state)
{
    const struct tree_sets must = {.meet = TREE_INTERSECTION};
    check(*state, "a(); if (p) { b(); c(); } else c(); here();", must, "ac");
    check(*state, "a(); while (p) { b(); } here();", must, "a");
    check(*state, "do { b(); } while (p); here();", must, "b");
    check(*state, "if (p && a()) here();", must, "a");
    check(*state, "if (p || a()) b(); here();", must, "");
    check(*state, "switch (p) { case 1: a(); case 2: b(); break; default: a(); b(); } here();",
          must, "b");
}

static void backwards_looks_ahead(void **state)
{
    const struct tree_sets may = {.direction = TREE_BACKWARDS, .meet = TREE_UNION};
    const struct tree_sets must = {.direction = TREE_BACKWARDS, .meet = TREE_INTERSECTION};
    check(*state, "d(); here(); a(); if (p) b(); c();", may, "abc");
    check(*state, "d(); here(); a(); if (p) b(); c();", must, "ac");
    check(*state, "while (p) { b(); here(); } a();", may, "ab");
    check(*state, "while (p) { b(); here(); } a();", must, "a");
    check(*state, "here(); if (p) return; a();", must, "");
    check(*state, "here(); for (;;) a();", may, "a");
    check(*state, "here(); a(); for (;;) b();", must, "abcdefghABCDEFGH");
    check(*state, "__awaitc_defer__ { a(); } here(); if (p) return; b();", must, "a");
}

static void boundaries_and_edges_count(void **state)
{
    arena *mem = *state;
    bitset start = bitset_new(mem, 2 * LETTERS);
    bitset_add(&start, 7);
    check(mem, "a(); here();", (struct tree_sets){.boundary = &start}, "ah");
    check(mem, "here(); a();", (struct tree_sets){.direction = TREE_BACKWARDS, .boundary = &start},
          "ah");
    const struct tree_sets refined = {.meet = TREE_INTERSECTION, .edge = add_false};
    check(mem, "if (a()) return; here();", refined, "aA");
    check(mem, "if (!a()) here();", refined, "aA");
    check(mem, "if (a() || b()) return; if (a()) here();", refined, "none");
}

/* ---- states of one's own -------------------------------------------------------------------- */

/* How often may `here()` have been called, up to a limit: an interval. */
struct times {
    int low, high;
};

enum { LIMIT = 3 };

static void times_copy(void *context, void *to, const void *from)
{
    (void)context;
    memcpy(to, from, sizeof(struct times));
}

static bool times_join(void *context, void *to, const void *from)
{
    struct times *t = to, old = *t;
    const struct times *f = from;
    (void)context;
    t->low = f->low < t->low ? f->low : t->low;
    t->high = f->high > t->high ? f->high : t->high;
    return t->low != old.low || t->high != old.high;
}

static void times_transfer(void *context, const struct tree_item *item, void *state)
{
    struct times *t = state;
    const tree_cfg *g = context;
    if (!sv_is(ast_node_text(g->fn, item->node), "here()"))
        return;
    t->low += t->low < LIMIT;
    t->high += t->high < LIMIT;
}

static bool times_flip(void *context, void *to, const void *from)
{
    (void)context;
    (void)from;
    ((struct times *)to)->low++;
    return true;
}

static void own_states_are_carried(void **state)
{
    arena *mem = *state;
    static const struct {
        const char *body;
        int low, high;
    } cases[] = {
        {"here(); if (p) here(); end();", 1, 2},
        {"while (p) here(); end();", 0, LIMIT},
        {"here(); here(); end();", 2, 2},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        tree_cfg *g = tree_of(mem, cases[i].body);
        const struct tree_states rules = {.bytes = sizeof(struct times),
                                          .copy = times_copy,
                                          .join = times_join,
                                          .transfer = times_transfer,
                                          .context = g};
        tree_flow *flow = tree_flow_solve(mem, g, &rules);
        const struct times *t = tree_flow_at(mem, flow, tree_item_of(g, "end()"));
        assert_int_equal(t->low, cases[i].low);
        assert_int_equal(t->high, cases[i].high);
    }
}

static void an_endless_analysis_is_given_up(void **state)
{
    arena *mem = *state;
    tree_cfg *g = tree_of(mem, "while (p) here();");
    const struct tree_states rules = {.bytes = sizeof(struct times),
                                      .copy = times_copy,
                                      .join = times_flip,
                                      .transfer = times_transfer,
                                      .context = g};
    assert_false(tree_flow_solve(mem, g, &rules)->is_complete);
}

/* ---- walks ---------------------------------------------------------------------------------- */

static void walks_show_each_item(void **state)
{
    arena *mem = *state;
    tree_cfg *g = tree_of(mem, "a(); b(); c();");
    for (int backwards = 0; backwards < 2; backwards++) {
        struct tree_sets sets = {.direction = backwards ? TREE_BACKWARDS : TREE_FORWARDS,
                                 .capacity = 2 * LETTERS,
                                 .transfer = add_call,
                                 .context = g};
        tree_flow *flow = tree_flow_solve_sets(mem, g, &sets);
        struct tree_flow_walk w = tree_flow_walk(flow, 0);
        uint32_t calls = 0, expected = 0;
        while (tree_flow_next(&w)) {
            assert_int_equal(w.index, backwards ? g->item_count - 1 - expected : expected);
            assert_ptr_equal(w.item, &g->items[w.index]);
            assert_int_equal(bitset_count(w.state), calls);
            calls += w.item->node->kind == AST_CALL;
            expected++;
        }
        assert_int_equal(expected, g->item_count);
        assert_int_equal(bitset_count(w.state), 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TREE_TEST(unions_hold_on_some_way), TREE_TEST(intersections_hold_on_every_way),
        TREE_TEST(backwards_looks_ahead),   TREE_TEST(boundaries_and_edges_count),
        TREE_TEST(own_states_are_carried),  TREE_TEST(an_endless_analysis_is_given_up),
        TREE_TEST(walks_show_each_item),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
