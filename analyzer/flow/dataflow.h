/* SPDX-License-Identifier: MIT */
/*
 * Which facts may hold where? One worklist solver for all analyses of a function: sets of small
 * numbers (mostly locals), joined by union where ways meet, changed by one op at a time, with the
 * flow or against it. The smallest solution is found.
 *
 * An analysis says only what an op does to a set. The solver knows the edges, the cancel edge of an
 * await among them: it leaves right after the await. So, forwards, the await's own change is done
 * when the set goes to the cancel target; backwards, the target's set joins before that change.
 */
#ifndef AWAITC_FLOW_DATAFLOW_H
#define AWAITC_FLOW_DATAFLOW_H

#include "analyzer/base/bitset.h"
#include "analyzer/flow/cfg.h"

enum dataflow_direction { DATAFLOW_FORWARDS, DATAFLOW_BACKWARDS };

struct dataflow_problem {
    enum dataflow_direction direction;
    uint32_t capacity;   /* of the sets */
    const bitset *entry; /* forwards: the set in front of block 0; NULL: empty */
    /* Changes *state from what holds before the op (backwards: after it) to what holds after
     * (before) it. Must be monotone: a larger set in gives no smaller set out. */
    void (*transfer)(const struct air_op *op, bitset *state, const void *context);
    const void *context; /* handed to transfer */
};

/* [block]: the set in front of its first op, in both directions; empty where nothing can reach. */
bitset *dataflow_solve(arena *mem, const cfg *g, const struct dataflow_problem *problem);

/* Backwards: the set behind the last op of `block`, from a solution of dataflow_solve. */
void dataflow_join_targets(const cfg *g, const bitset *solution, uint32_t block, bitset *state);

#endif
