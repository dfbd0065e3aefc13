/* SPDX-License-Identifier: MIT */
/* The edges of cfg.h: collected in one walk over the ops, then counted into place by their ends. */
#include "analyzer/flow/cfg.h"

#include "analyzer/base/check.h"

typedef VEC(struct cfg_edge) edge_list;

static void add_block_edges(arena *mem, const air_func *fn, uint32_t block, edge_list *edges)
{
    const struct air_block *b = &fn->blocks.at[block];
    for (uint32_t i = 0; i < b->ops.count; i++) {
        const struct air_op *op = &b->ops.at[i];
        struct cfg_edge edge = {.from = block, .op = i};
        if (op->kind == AIR_AWAIT && op->cancel != AIR_NONE) {
            edge.to = op->cancel;
            edge.is_cancel = true;
            VEC_PUSH(mem, edges, edge);
        }
        for (uint32_t t = 0; air_op_is_terminator(op->kind) && t < op->target_count; t++) {
            edge.to = op->targets[t];
            VEC_PUSH(mem, edges, edge);
        }
    }
}

static void index_preds(arena *mem, cfg *g)
{
    g->pred_start = ARENA_ARRAY(mem, uint32_t, g->block_count + 1);
    g->pred = ARENA_ARRAY(mem, uint32_t, g->edge_count);
    for (uint32_t e = 0; e < g->edge_count; e++) {
        AWC_ASSERT(g->edges[e].to < g->block_count);
        g->pred_start[g->edges[e].to + 1]++;
    }
    for (uint32_t b = 0; b < g->block_count; b++)
        g->pred_start[b + 1] += g->pred_start[b];
    uint32_t *next = ARENA_ARRAY(mem, uint32_t, g->block_count);
    for (uint32_t b = 0; b < g->block_count; b++)
        next[b] = g->pred_start[b];
    for (uint32_t e = 0; e < g->edge_count; e++)
        g->pred[next[g->edges[e].to]++] = e;
}

cfg *cfg_build(arena *mem, const air_func *fn)
{
    cfg *g = ARENA_NEW(mem, cfg);
    g->fn = fn;
    g->block_count = (uint32_t)fn->blocks.count;
    AWC_ASSERT(g->block_count != 0);
    g->succ_start = ARENA_ARRAY(mem, uint32_t, g->block_count + 1);
    edge_list edges = {0};
    for (uint32_t b = 0; b < g->block_count; b++) {
        add_block_edges(mem, fn, b, &edges);
        g->succ_start[b + 1] = (uint32_t)edges.count;
    }
    g->edges = edges.at;
    g->edge_count = (uint32_t)edges.count;
    index_preds(mem, g);
    cfg_order(mem, g);
    return g;
}
