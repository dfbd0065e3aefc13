/* SPDX-License-Identifier: MIT */
/*
 * How does a leaf whose frame is larger than AW_LEAF_ROOM get room for it? A caller that was
 * lowered with the leaf's declaration in sight has kept it (AW_LEAF_ in awaitc.h); one that calls
 * through a pointer has not. So a leaf that is about to suspend asks:
 *
 *     struct awi_leaf_room room;
 *     struct thing_frame *f = awi_leaf_room_begin(c, fp, sizeof *f, &room);
 *     if (f == NULL)
 *         return 0;                       no memory: c->pending is set, the await is cancelled
 *     ... fill f, suspend, or do not
 *     awi_leaf_room_end(c, &room);        after the suspension
 */
#ifndef AWAITC_RUNTIME_LEAF_ROOM_H
#define AWAITC_RUNTIME_LEAF_ROOM_H

#include <stdbool.h>
#include <stddef.h>

#include <awaitc/abi.h>

struct awi_leaf_room {
    aw_growth growth;
    bool grown;
};

static inline void *awi_leaf_room_begin(aw_cx *c, void *fp, size_t bytes,
                                        struct awi_leaf_room *room)
{
    room->grown = (size_t)(c->lim - (char *)fp) < bytes;
    if (AW_LIKELY(!room->grown))
        return fp;
    /* AW_GROW_BOUNCE, a low C stack, is no reason to bounce: the leaf suspends anyway. */
    if (aw_grow_begin(c, fp, bytes, sizeof(void *), &room->growth) != AW_GROW_FAILED)
        return room->growth.room;
    aw_grow_end(c, &room->growth);
    return NULL;
}

static inline void awi_leaf_room_end(aw_cx *c, struct awi_leaf_room *room)
{
    if (AW_UNLIKELY(room->grown))
        aw_grow_end(c, &room->growth);
}

#endif
