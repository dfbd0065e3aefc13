/* SPDX-License-Identifier: MIT */
/*
 * Which locals hold a value that is still wanted? Two questions, each a set of locals at every
 * point:
 *
 *   live     (against the flow) on some way from here it is read before it is written whole, or
 *            declared anew, or gone
 *   written  (with the flow) on some way to here it was given a value since it was declared
 *
 * A local that is live but not written holds nothing: `char buf[N];` at the top of a function whose
 * first fill comes after an await. Only both together are worth keeping.
 *
 *            live before = live after ...       written after = written before ...
 *     use    + local                            =
 *     def    - local                            + local
 *     part   =  (no read, and the rest stays)   + local
 *     lend   + local (callee may read)          + local (callee may write)
 *     addr   + local (may be read through it)   + local (may be written through it)
 *     begin  - local                            - local
 *     end    - local                            - local
 *     await  + what is live at the cancel       + holds
 *              target, + holds
 *
 * Parameters are written at the entry. What is read or written through an address that was kept is
 * not seen here; escape.h says how long that may happen.
 */
#ifndef AWAITC_FLOW_LIVENESS_H
#define AWAITC_FLOW_LIVENESS_H

#include "analyzer/base/bitset.h"
#include "analyzer/flow/cfg.h"

struct liveness {
    const cfg *graph;
    bitset *live;    /* [block]: in front of its first op; empty where nothing can reach */
    bitset *written; /* [block]: the same */
};

struct liveness *liveness_compute(arena *mem, const cfg *g);

/* after[i] receives the locals live just behind op i of the block; behind an await: on its normal
 * way (its cancel way: live[op.cancel]). `after` has a set for each op. */
void liveness_after_ops(const struct liveness *live, uint32_t block, bitset *after);

/* Takes `written` from in front of an op to behind it. */
void liveness_write_step(const struct air_op *op, bitset *written);

#endif
