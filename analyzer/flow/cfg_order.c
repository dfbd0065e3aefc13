/* SPDX-License-Identifier: MIT */
/*
 * In which order do blocks come, and what lies around them? Reverse post-order by a depth-first
 * walk with a stack of its own; dominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
 * Algorithm" (2001); natural loops from the edges whose target dominates their source.
 */
#include "analyzer/flow/cfg.h"

#include "analyzer/base/check.h"

struct visit {
    uint32_t block, next_edge;
};

void cfg_order(arena *mem, cfg *g)
{
    uint32_t count = g->block_count, depth = 0, done = 0;
    struct visit *stack = ARENA_ARRAY(mem, struct visit, count);
    uint32_t *post = ARENA_ARRAY(mem, uint32_t, count);
    g->rank = ARENA_ARRAY(mem, uint32_t, count);
    for (uint32_t b = 0; b < count; b++)
        g->rank[b] = AIR_NONE;
    g->rank[0] = 0; /* for now: anything but AIR_NONE is "seen" */
    stack[depth++] = (struct visit){0, g->succ_start[0]};
    while (depth != 0) {
        struct visit *top = &stack[depth - 1];
        if (top->next_edge == g->succ_start[top->block + 1]) {
            post[done++] = top->block;
            depth--;
            continue;
        }
        uint32_t to = g->edges[top->next_edge++].to;
        if (g->rank[to] == AIR_NONE) {
            g->rank[to] = 0;
            stack[depth++] = (struct visit){to, g->succ_start[to]};
        }
    }
    g->order = ARENA_ARRAY(mem, uint32_t, count);
    g->reachable_count = done;
    for (uint32_t i = 0; i < done; i++) {
        g->order[i] = post[done - 1 - i];
        g->rank[g->order[i]] = i;
    }
}

/* ---- dominators ----------------------------------------------------------------------------- */

/* The closest block that dominates both. */
static uint32_t common_dominator(const cfg *g, const uint32_t *idom, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (g->rank[a] > g->rank[b])
            a = idom[a];
        else
            b = idom[b];
    }
    return a;
}

static uint32_t dominator_of(const cfg *g, const uint32_t *idom, uint32_t block)
{
    uint32_t found = AIR_NONE;
    for (uint32_t i = g->pred_start[block]; i < g->pred_start[block + 1]; i++) {
        uint32_t from = g->edges[g->pred[i]].from;
        if (idom[from] == AIR_NONE)
            continue; /* not reachable, or not yet known */
        found = found == AIR_NONE ? from : common_dominator(g, idom, from, found);
    }
    return found;
}

uint32_t *cfg_dominators(arena *mem, const cfg *g)
{
    uint32_t *idom = ARENA_ARRAY(mem, uint32_t, g->block_count);
    for (uint32_t b = 0; b < g->block_count; b++)
        idom[b] = AIR_NONE;
    idom[0] = 0;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 1; i < g->reachable_count; i++) {
            uint32_t block = g->order[i];
            uint32_t now = dominator_of(g, idom, block);
            changed |= now != idom[block];
            idom[block] = now;
        }
    }
    return idom;
}

bool cfg_dominates(const cfg *g, const uint32_t *idom, uint32_t above, uint32_t below)
{
    while (g->rank[below] > g->rank[above])
        below = idom[below];
    return below == above;
}

/* ---- loops ---------------------------------------------------------------------------------- */

struct loop_walk {
    const cfg *graph;
    uint32_t header;
    uint32_t *stack;
    uint32_t depth;
    uint32_t *mark; /* [block]: header + 1 of the last loop that it was found in */
};

static void loop_add(struct loop_walk *w, uint32_t block)
{
    if (!cfg_is_reachable(w->graph, block) || w->mark[block] == w->header + 1)
        return;
    w->mark[block] = w->header + 1;
    w->stack[w->depth++] = block;
}

/* Starts from the sources of the edges back to the header; false if there are none. */
static bool loop_start(struct loop_walk *w, const uint32_t *idom)
{
    const cfg *g = w->graph;
    bool found = false;
    for (uint32_t i = g->pred_start[w->header]; i < g->pred_start[w->header + 1]; i++) {
        uint32_t from = g->edges[g->pred[i]].from;
        if (!cfg_is_reachable(g, from) || !cfg_dominates(g, idom, w->header, from))
            continue;
        found = true;
        loop_add(w, w->header);
        loop_add(w, from);
    }
    return found;
}

struct cfg_loops *cfg_loops_find(arena *mem, const cfg *g, const uint32_t *idom)
{
    struct cfg_loops *loops = ARENA_NEW(mem, struct cfg_loops);
    loops->header = ARENA_ARRAY(mem, uint32_t, g->block_count);
    loops->depth = ARENA_ARRAY(mem, uint32_t, g->block_count);
    for (uint32_t b = 0; b < g->block_count; b++)
        loops->header[b] = AIR_NONE;
    struct loop_walk w = {.graph = g};
    w.stack = ARENA_ARRAY(mem, uint32_t, g->block_count);
    w.mark = ARENA_ARRAY(mem, uint32_t, g->block_count);
    /* An outer header comes before an inner one, so the last to claim a block is the innermost. */
    for (uint32_t i = 0; i < g->reachable_count; i++) {
        w.header = g->order[i];
        if (!loop_start(&w, idom))
            continue;
        while (w.depth != 0) {
            uint32_t block = w.stack[--w.depth];
            loops->header[block] = w.header;
            loops->depth[block]++;
            if (block == w.header)
                continue;
            for (uint32_t p = g->pred_start[block]; p < g->pred_start[block + 1]; p++)
                loop_add(&w, g->edges[g->pred[p]].from);
        }
    }
    return loops;
}
