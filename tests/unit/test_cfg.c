/* SPDX-License-Identifier: MIT */
/* Are edges, order, dominators and loops those of the drawing? And of brute force? */
#include "air_fixture.h"

#include "analyzer/flow/cfg.h"

#define HEAD "func f { scope 0 local 0 var a \"int\" size 4 align 4 scalar scope 0 "

/*
 *      0 --> 1 --> 2 --> 3 --> 5        6: nothing reaches it
 *            ^     |await      ^
 *            |     +--> 4 -----+
 *            +-----------3
 */
static const char loop_text[] = HEAD "block 0: goto 1 "
                                     "block 1: goto 2 "
                                     "block 2: use 0 await 1 cancel 4 use 0 goto 3 "
                                     "block 3: branch 1 5 "
                                     "block 4: goto 5 "
                                     "block 5: return "
                                     "block 6: goto 5 }";

static void an_awaits_cancel_leaves_in_the_middle(void **state)
{
    const cfg *g = cfg_build(*state, air_of(*state, loop_text));
    assert_int_equal(g->edge_count, 8);
    assert_int_equal(g->succ_start[3] - g->succ_start[2], 2);
    const struct cfg_edge *cancel = &g->edges[g->succ_start[2]];
    assert_true(cancel->is_cancel);
    assert_int_equal(cancel->from, 2);
    assert_int_equal(cancel->to, 4);
    assert_int_equal(cancel->op, 1);
    assert_false(cancel[1].is_cancel);
    assert_int_equal(cancel[1].to, 3);
    assert_int_equal(cancel[1].op, 3);
}

static void predecessors_mirror_successors(void **state)
{
    const cfg *g = cfg_build(*state, air_of(*state, loop_text));
    assert_int_equal(g->pred_start[1] - g->pred_start[0], 0);
    assert_int_equal(g->pred_start[6] - g->pred_start[5], 3);
    assert_int_equal(g->pred_start[7], g->edge_count);
    for (uint32_t b = 0; b < g->block_count; b++) {
        for (uint32_t i = g->pred_start[b]; i < g->pred_start[b + 1]; i++)
            assert_int_equal(g->edges[g->pred[i]].to, b);
    }
}

static void order_starts_at_the_entry_and_leaves_out_what_nothing_reaches(void **state)
{
    const cfg *g = cfg_build(*state, air_of(*state, loop_text));
    assert_int_equal(g->reachable_count, 6);
    assert_int_equal(g->order[0], 0);
    assert_int_equal(g->order[5], 5);
    assert_false(cfg_is_reachable(g, 6));
    for (uint32_t i = 0; i < g->reachable_count; i++)
        assert_int_equal(g->rank[g->order[i]], i);
    for (uint32_t e = 0; e < g->edge_count; e++) {
        const struct cfg_edge *edge = &g->edges[e];
        bool is_back = edge->from == 3 && edge->to == 1;
        if (cfg_is_reachable(g, edge->from))
            assert_int_equal(g->rank[edge->to] > g->rank[edge->from], !is_back);
    }
}

static void dominators_meet_above_the_cancel(void **state)
{
    const cfg *g = cfg_build(*state, air_of(*state, loop_text));
    const uint32_t *idom = cfg_dominators(*state, g);
    static const uint32_t expected[] = {0, 0, 1, 2, 2, 2, AIR_NONE};
    for (uint32_t b = 0; b < g->block_count; b++)
        assert_int_equal(idom[b], expected[b]);
    assert_true(cfg_dominates(g, idom, 1, 5));
    assert_true(cfg_dominates(g, idom, 5, 5));
    assert_false(cfg_dominates(g, idom, 3, 5));
    assert_false(cfg_dominates(g, idom, 5, 1));
}

static void a_loop_has_its_blocks_and_no_others(void **state)
{
    const cfg *g = cfg_build(*state, air_of(*state, loop_text));
    const struct cfg_loops *loops = cfg_loops_find(*state, g, cfg_dominators(*state, g));
    static const uint32_t header[] = {AIR_NONE, 1, 1, 1, AIR_NONE, AIR_NONE, AIR_NONE};
    for (uint32_t b = 0; b < g->block_count; b++) {
        assert_int_equal(loops->header[b], header[b]);
        assert_int_equal(loops->depth[b], header[b] == 1);
    }
}

static void loops_nest(void **state)
{
    const cfg *g = cfg_build(*state, air_of(*state, HEAD "block 0: goto 1 "
                                                         "block 1: branch 2 5 "
                                                         "block 2: goto 3 "
                                                         "block 3: branch 3 4 2 "
                                                         "block 4: goto 1 "
                                                         "block 5: return }"));
    const struct cfg_loops *loops = cfg_loops_find(*state, g, cfg_dominators(*state, g));
    static const uint32_t header[] = {AIR_NONE, 1, 2, 3, 1, AIR_NONE};
    static const uint32_t depth[] = {0, 1, 2, 3, 1, 0};
    for (uint32_t b = 0; b < g->block_count; b++) {
        assert_int_equal(loops->header[b], header[b]);
        assert_int_equal(loops->depth[b], depth[b]);
    }
}

static void a_goto_into_a_loop_makes_it_none(void **state)
{
    const cfg *g = cfg_build(*state, air_of(*state, HEAD "block 0: branch 1 2 "
                                                         "block 1: goto 2 "
                                                         "block 2: branch 1 3 "
                                                         "block 3: return }"));
    const uint32_t *idom = cfg_dominators(*state, g);
    const struct cfg_loops *loops = cfg_loops_find(*state, g, idom);
    for (uint32_t b = 0; b < g->block_count; b++) {
        assert_int_equal(idom[b], b == 3 ? 2 : 0);
        assert_int_equal(loops->depth[b], 0);
    }
}

static void a_branch_may_name_a_block_twice(void **state)
{
    const cfg *g = cfg_build(*state, air_of(*state, HEAD "block 0: branch 1 1 block 1: return }"));
    assert_int_equal(g->edge_count, 2);
    assert_int_equal(g->reachable_count, 2);
    assert_int_equal(cfg_dominators(*state, g)[1], 0);
}

/* ---- brute force ---------------------------------------------------------------------------- */

enum { MAX_BLOCKS = 9 };

/* Marks what can be reached from block 0 when `without` is cut out. */
static void flood(const cfg *g, uint32_t without, bool *seen)
{
    for (uint32_t b = 0; b < g->block_count; b++)
        seen[b] = b == 0 && without != 0;
    for (uint32_t round = 0; round < g->block_count; round++) {
        for (uint32_t e = 0; e < g->edge_count; e++) {
            if (seen[g->edges[e].from] && g->edges[e].to != without)
                seen[g->edges[e].to] = true;
        }
    }
}

static void dominators_are_what_cannot_be_avoided(void **state)
{
    const struct random_shape shape = {2, MAX_BLOCKS, 3, 40, 0};
    for (uint64_t seed = 1; seed <= 500; seed++) {
        uint64_t run = random_start(seed);
        const cfg *g = cfg_build(*state, random_func(*state, &shape, &run));
        const uint32_t *idom = cfg_dominators(*state, g);
        bool all[MAX_BLOCKS], rest[MAX_BLOCKS];
        flood(g, AIR_NONE, all);
        for (uint32_t a = 0; a < g->block_count; a++) {
            assert_int_equal(cfg_is_reachable(g, a), all[a]);
            flood(g, a, rest);
            for (uint32_t b = 0; all[a] && b < g->block_count; b++) {
                if (all[b])
                    assert_int_equal(cfg_dominates(g, idom, a, b), !rest[b]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AIR_TEST(an_awaits_cancel_leaves_in_the_middle),
        AIR_TEST(predecessors_mirror_successors),
        AIR_TEST(order_starts_at_the_entry_and_leaves_out_what_nothing_reaches),
        AIR_TEST(dominators_meet_above_the_cancel),
        AIR_TEST(a_loop_has_its_blocks_and_no_others),
        AIR_TEST(loops_nest),
        AIR_TEST(a_goto_into_a_loop_makes_it_none),
        AIR_TEST(a_branch_may_name_a_block_twice),
        AIR_TEST(dominators_are_what_cannot_be_avoided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
