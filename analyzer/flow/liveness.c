/* SPDX-License-Identifier: MIT */
/* The two tables of liveness.h as transfer functions. */
#include "analyzer/flow/liveness.h"

#include "analyzer/base/check.h"
#include "analyzer/flow/dataflow.h"

static void live_transfer(const struct air_op *op, bitset *live, const void *context)
{
    (void)context;
    switch (op->kind) {
    case AIR_USE:
    case AIR_LEND:
    case AIR_ADDR:
        bitset_add(live, op->local);
        break;
    case AIR_DEF:
    case AIR_BEGIN:
    case AIR_END:
        bitset_remove(live, op->local);
        break;
    case AIR_AWAIT:
        for (uint32_t i = 0; i < op->hold_count; i++)
            bitset_add(live, op->holds[i]);
        break;
    case AIR_PART:
    case AIR_GOTO:
    case AIR_BRANCH:
    case AIR_RETURN:
    case AIR_CANCELLED:
    case AIR_STOP:
        break;
    case AIR_OP_COUNT:
        AWC_UNREACHABLE();
    }
}

void liveness_write_step(const struct air_op *op, bitset *written)
{
    switch (op->kind) {
    case AIR_DEF:
    case AIR_PART:
    case AIR_LEND:
    case AIR_ADDR:
        bitset_add(written, op->local);
        break;
    case AIR_BEGIN:
    case AIR_END:
        bitset_remove(written, op->local);
        break;
    case AIR_AWAIT:
        for (uint32_t i = 0; i < op->hold_count; i++)
            bitset_add(written, op->holds[i]);
        break;
    case AIR_USE:
    case AIR_GOTO:
    case AIR_BRANCH:
    case AIR_RETURN:
    case AIR_CANCELLED:
    case AIR_STOP:
        break;
    case AIR_OP_COUNT:
        AWC_UNREACHABLE();
    }
}

static void written_transfer(const struct air_op *op, bitset *written, const void *context)
{
    (void)context;
    liveness_write_step(op, written);
}

static bitset parameters(arena *mem, const air_func *fn)
{
    bitset set = bitset_new(mem, (uint32_t)fn->locals.count);
    for (uint32_t i = 0; i < fn->locals.count; i++) {
        if (fn->locals.at[i].kind == AIR_PARAM)
            bitset_add(&set, i);
    }
    return set;
}

struct liveness *liveness_compute(arena *mem, const cfg *g)
{
    struct liveness *result = ARENA_NEW(mem, struct liveness);
    bitset entry = parameters(mem, g->fn);
    struct dataflow_problem live = {.direction = DATAFLOW_BACKWARDS,
                                    .capacity = (uint32_t)g->fn->locals.count,
                                    .transfer = live_transfer};
    struct dataflow_problem written = {.direction = DATAFLOW_FORWARDS,
                                       .capacity = (uint32_t)g->fn->locals.count,
                                       .entry = &entry,
                                       .transfer = written_transfer};
    result->graph = g;
    result->live = dataflow_solve(mem, g, &live);
    result->written = dataflow_solve(mem, g, &written);
    return result;
}

void liveness_after_ops(const struct liveness *live, uint32_t block, bitset *after)
{
    const struct air_block *b = &live->graph->fn->blocks.at[block];
    size_t last = b->ops.count - 1;
    dataflow_join_targets(live->graph, live->live, block, &after[last]);
    for (size_t i = last; i-- > 0;) {
        const struct air_op *next = &b->ops.at[i + 1];
        bitset_copy(&after[i], &after[i + 1]);
        if (next->kind == AIR_AWAIT && next->cancel != AIR_NONE)
            bitset_union(&after[i], &live->live[next->cancel]);
        live_transfer(next, &after[i], NULL);
    }
}
