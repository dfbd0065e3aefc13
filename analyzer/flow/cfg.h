/* SPDX-License-Identifier: MIT */
/*
 * From where to where can control go in a function of AIR? Edges between blocks, in both
 * directions. Most edges leave at the block's terminator. The cancel edge of an await leaves in the
 * middle, right after that op:
 *
 *      block 1            an edge knows the op it leaves at, so an analysis can take the state
 *        use 0            there and not the one at the end of the block
 *        await 1 ---- cancel ----> block 4
 *        def 2
 *        branch 2 3 -------------> block 2, block 3
 */
#ifndef AWAITC_FLOW_CFG_H
#define AWAITC_FLOW_CFG_H

#include "analyzer/ir/air.h"

struct cfg_edge {
    uint32_t from, to; /* blocks */
    uint32_t op;       /* index in `from`: its terminator, or the await that is cancelled */
    bool is_cancel;
};

typedef struct cfg {
    const air_func *fn;
    uint32_t block_count;
    struct cfg_edge *edges; /* by ascending block and op they leave at */
    uint32_t edge_count;
    uint32_t *succ_start; /* [block_count + 1]: those that leave b are edges[succ_start[b]] up to
                             edges[succ_start[b + 1]], exclusive */
    uint32_t *pred_start; /* [block_count + 1]: the same for ... */
    uint32_t *pred;       /* ... the edges that reach b: indices into `edges` */
    uint32_t *order;      /* the blocks that can be reached, in reverse post-order */
    uint32_t reachable_count;
    uint32_t *rank; /* [block]: its place in `order`; AIR_NONE: cannot be reached */
} cfg;

/* The graph of a function that air_verify accepts; borrows fn. */
cfg *cfg_build(arena *mem, const air_func *fn);

static inline bool cfg_is_reachable(const cfg *g, uint32_t block)
{
    return g->rank[block] != AIR_NONE;
}

/* Sets order, reachable_count and rank; part of cfg_build. */
void cfg_order(arena *mem, cfg *g);

/* [block]: the immediate dominator; of block 0 itself; AIR_NONE for blocks that cannot be reached.
 */
uint32_t *cfg_dominators(arena *mem, const cfg *g);

/* Does every way from block 0 to `below` come through `above`? Both can be reached. */
bool cfg_dominates(const cfg *g, const uint32_t *idom, uint32_t above, uint32_t below);

struct cfg_loops {
    uint32_t *header; /* [block]: first block of the innermost loop around it; AIR_NONE: in none */
    uint32_t *depth;  /* [block]: how many loops are around it */
};

/* The natural loops: all blocks from which an edge back to a dominating header can be reached
 * without passing the header. A goto into the middle of a loop makes none. */
struct cfg_loops *cfg_loops_find(arena *mem, const cfg *g, const uint32_t *idom);

#endif
