/* SPDX-License-Identifier: MIT */
/*
 * Whose address may be known elsewhere? With the flow: a local escapes where its address is taken
 * and kept (ADDR), and is safe again where its scope is left (END). In between anybody may read or
 * write it at any time, without an op that says so. Reaching the declaration again (a goto back
 * inside its scope) gives no new object, so BEGIN ends nothing.
 *
 * Lending (LEND, or the holds of an await) is no escape: the callee keeps no copy.
 */
#ifndef AWAITC_FLOW_ESCAPE_H
#define AWAITC_FLOW_ESCAPE_H

#include "analyzer/base/bitset.h"
#include "analyzer/flow/cfg.h"

struct escape {
    bitset *escaped; /* [block]: in front of its first op, the locals whose address may be known */
    bitset ever;     /* the locals with an ADDR in a block that can be reached */
};

struct escape *escape_compute(arena *mem, const cfg *g);

/* Takes `escaped` from in front of an op to behind it. */
void escape_step(const struct air_op *op, bitset *escaped);

#endif
