/* SPDX-License-Identifier: MIT */
/*
 * Which locals must survive each await, and why? Joins liveness (it holds a value that may be read
 * later, before it is written whole) with escape (its address was taken and kept on some way to
 * here, and its scope has not been left since), and holds (lent to the awaited callee itself).
 *
 * A local that was not written since its declaration holds nothing, so it need not survive even if
 * it is read later: it is neither stored nor loaded.
 */
#ifndef AWAITC_FLOW_ACROSS_AWAIT_H
#define AWAITC_FLOW_ACROSS_AWAIT_H

#include "analyzer/base/bitset.h"
#include "analyzer/ir/air.h"

enum across_reason { ACROSS_LIVE = 1, ACROSS_ESCAPED = 2, ACROSS_HELD = 4 };

enum local_place {
    PLACE_PLAIN,   /* not needed across any await: an ordinary C local */
    PLACE_SPILLED, /* a C local, stored at a suspension and loaded on resume */
    PLACE_RESIDENT /* lives in the frame: escaped, held, or not scalar */
};

struct across_await {
    uint32_t await_count;
    bitset *across;          /* [await - 1]: the locals that must survive it (live on the normal or
                                the cancel way out, escaped, or held) */
    bitset *reload;          /* [await - 1]: of those, the ones live after it on the normal way */
    bitset *reload_cancel;   /* [await - 1]: live at the cancel target */
    uint8_t **why;           /* [await - 1][local]: across_reason bits */
    enum local_place *place; /* [local] */
    bool *escapes;           /* [local]: some ADDR of it exists in a reachable block */
    /* conflict[i] has j: i and j may not share room in the frame. Only among locals whose place is
     * not plain; a plain one's set is empty (and shared: not to be changed). Residents conflict
     * when both hold something at one point of the program, or one is written where the other holds
     * something or may still be in use by the same statement; a spilled one conflicts with all that
     * survive an await together with it. */
    bitset *conflict;
};

/* The analysis of a function that air_verify accepts; the result is in `mem`. An await that nothing
 * reaches keeps nothing alive. */
struct across_await *across_await_compute(arena *mem, const air_func *fn);

#endif
