/* SPDX-License-Identifier: MIT */
/* The flow of kept addresses of escape.h. */
#include "analyzer/flow/escape.h"

#include "analyzer/flow/dataflow.h"

void escape_step(const struct air_op *op, bitset *escaped)
{
    if (op->kind == AIR_ADDR)
        bitset_add(escaped, op->local);
    else if (op->kind == AIR_END)
        bitset_remove(escaped, op->local);
}

static void escape_transfer(const struct air_op *op, bitset *escaped, const void *context)
{
    (void)context;
    escape_step(op, escaped);
}

struct escape *escape_compute(arena *mem, const cfg *g)
{
    struct escape *result = ARENA_NEW(mem, struct escape);
    uint32_t local_count = (uint32_t)g->fn->locals.count;
    struct dataflow_problem problem = {
        .direction = DATAFLOW_FORWARDS, .capacity = local_count, .transfer = escape_transfer};
    result->escaped = dataflow_solve(mem, g, &problem);
    result->ever = bitset_new(mem, local_count);
    for (uint32_t i = 0; i < g->reachable_count; i++) {
        const struct air_block *block = &g->fn->blocks.at[g->order[i]];
        for (size_t k = 0; k < block->ops.count; k++) {
            if (block->ops.at[k].kind == AIR_ADDR)
                bitset_add(&result->ever, block->ops.at[k].local);
        }
    }
    return result;
}
