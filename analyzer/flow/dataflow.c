/* SPDX-License-Identifier: MIT */
/*
 * The solver of dataflow.h. Sweeps over the blocks in reverse post-order (backwards: post-order)
 * and visits those whose input grew since their last visit, until none is left; without nested
 * loops that are two or three sweeps.
 */
#include "analyzer/flow/dataflow.h"

struct solver {
    const cfg *graph;
    const struct dataflow_problem *problem;
    bitset *start; /* [block]: the solution */
    bitset state;  /* of the visit under way */
    bool *dirty;   /* [block] */
    bool any_dirty;
};

static void mark_dirty(struct solver *s, uint32_t block)
{
    s->dirty[block] = true;
    s->any_dirty = true;
}

static const struct air_block *block_at(const struct solver *s, uint32_t block)
{
    return &s->graph->fn->blocks.at[block];
}

static void flow_to(struct solver *s, uint32_t block)
{
    if (bitset_union(&s->start[block], &s->state))
        mark_dirty(s, block);
}

static void visit_forwards(struct solver *s, uint32_t block)
{
    const struct air_block *b = block_at(s, block);
    bitset_copy(&s->state, &s->start[block]);
    for (size_t i = 0; i < b->ops.count; i++) {
        const struct air_op *op = &b->ops.at[i];
        s->problem->transfer(op, &s->state, s->problem->context);
        if (op->kind == AIR_AWAIT && op->cancel != AIR_NONE)
            flow_to(s, op->cancel);
    }
    const struct air_op *last = &VEC_LAST(&b->ops);
    for (uint32_t t = 0; t < last->target_count; t++)
        flow_to(s, last->targets[t]);
}

void dataflow_join_targets(const cfg *g, const bitset *solution, uint32_t block, bitset *state)
{
    const struct air_op *last = &VEC_LAST(&g->fn->blocks.at[block].ops);
    bitset_clear(state);
    for (uint32_t t = 0; t < last->target_count; t++)
        bitset_union(state, &solution[last->targets[t]]);
}

static void visit_backwards(struct solver *s, uint32_t block)
{
    const struct air_block *b = block_at(s, block);
    dataflow_join_targets(s->graph, s->start, block, &s->state);
    for (size_t i = b->ops.count; i-- > 0;) {
        const struct air_op *op = &b->ops.at[i];
        if (op->kind == AIR_AWAIT && op->cancel != AIR_NONE)
            bitset_union(&s->state, &s->start[op->cancel]);
        s->problem->transfer(op, &s->state, s->problem->context);
    }
    if (!bitset_union(&s->start[block], &s->state))
        return;
    const cfg *g = s->graph;
    for (uint32_t p = g->pred_start[block]; p < g->pred_start[block + 1]; p++)
        mark_dirty(s, g->edges[g->pred[p]].from);
}

static void sweep(struct solver *s)
{
    const cfg *g = s->graph;
    bool forwards = s->problem->direction == DATAFLOW_FORWARDS;
    for (uint32_t i = 0; i < g->reachable_count; i++) {
        uint32_t block = g->order[forwards ? i : g->reachable_count - 1 - i];
        if (!s->dirty[block])
            continue;
        s->dirty[block] = false;
        if (forwards)
            visit_forwards(s, block);
        else
            visit_backwards(s, block);
    }
}

bitset *dataflow_solve(arena *mem, const cfg *g, const struct dataflow_problem *problem)
{
    struct solver s = {.graph = g, .problem = problem, .any_dirty = true};
    s.start = ARENA_ARRAY(mem, bitset, g->block_count);
    s.dirty = ARENA_ARRAY(mem, bool, g->block_count);
    s.state = bitset_new(mem, problem->capacity);
    for (uint32_t b = 0; b < g->block_count; b++) {
        s.start[b] = bitset_new(mem, problem->capacity);
        s.dirty[b] = cfg_is_reachable(g, b);
    }
    if (problem->direction == DATAFLOW_FORWARDS && problem->entry != NULL)
        bitset_copy(&s.start[0], problem->entry);
    while (s.any_dirty) {
        s.any_dirty = false;
        sweep(&s);
    }
    return s.start;
}
