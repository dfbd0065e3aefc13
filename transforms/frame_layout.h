/* SPDX-License-Identifier: MIT */
/*
 * Where in the frame does each local lie? Gives locals that never hold something together one slot
 * (greedy colouring of the conflict graph, largest first), orders the slots so that little padding
 * is left, and computes offsets. In a debug build every local has a slot of its own.
 */
#ifndef AWAITC_TRANSFORMS_FRAME_LAYOUT_H
#define AWAITC_TRANSFORMS_FRAME_LAYOUT_H

#include "analyzer/flow/across_await.h"

struct frame_slot {
    uint32_t *locals; /* that share it, in order of declaration */
    uint32_t local_count;
    uint64_t size_bytes, align_bytes; /* size: the largest member's */
    uint64_t offset_bytes;            /* from the start of the frame */
};

struct frame_layout {
    struct frame_slot *slots; /* by ascending offset */
    uint32_t slot_count;
    uint32_t *slot_of; /* [local]; AIR_NONE: not in the frame */
    uint64_t size_bytes,
        align_bytes; /* of the whole frame, header included, rounded to its alignment */
};

/* `header_bytes` come first (16). A local may be aligned more strictly than its size asks for, and
 * a local without size has a slot without size. */
struct frame_layout *frame_layout_compute(arena *mem, const air_func *fn,
                                          const struct across_await *across, uint64_t header_bytes,
                                          bool share_slots);

#endif
