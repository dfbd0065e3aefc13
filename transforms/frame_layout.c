/* SPDX-License-Identifier: MIT */
/*
 * The two steps of frame_layout.h.
 *
 * Slots: greedy colouring. Locals come by size (largest first), alignment, declaration, so a slot
 * never grows after it was opened. A local takes the first slot without a conflicting member whose
 * alignment suffices, else the first without a conflicting member, else a new one.
 *
 * Offsets: slots come by alignment, then size, largest first, which leaves no gap where sizes are
 * multiples of alignments. A gap (behind the header in front of a strictly aligned slot, or behind
 * an object that is aligned more strictly than its size asks for) is filled with the first slots of
 * the rest that fit into it.
 *
 *      0        16          24        32                    64
 *      | header | two small slots ... | a slot aligned to 32 | the rest, alignment falling ...
 */
#include "transforms/frame_layout.h"

#include <stdlib.h>

#include "analyzer/base/check.h"
#include "transforms/fault.h"

enum { HEADER_ALIGN_BYTES = 8 };

struct candidate {
    uint32_t local;
    uint64_t size_bytes, align_bytes;
};

typedef VEC(uint32_t) member_list;

struct layout_work {
    arena *scratch;
    const struct across_await *across;
    struct frame_layout *out;
    struct candidate *candidates; /* largest first */
    uint32_t candidate_count;
    struct frame_slot *slots; /* in the order they were opened */
    member_list *members;     /* [slot] */
    uint32_t slot_count;
    uint32_t *taken_by; /* [slot]: the last local + 1 that conflicts with a member */
};

static uint64_t round_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) & ~(align - 1);
}

static int descending(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

/* ---- slots ---------------------------------------------------------------------------------- */

static int by_size(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    int order = descending(a->size_bytes, b->size_bytes);
    if (order == 0)
        order = descending(a->align_bytes, b->align_bytes);
    return order != 0 ? order : (a->local > b->local) - (a->local < b->local);
}

static int by_number(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static void collect_candidates(struct layout_work *w, const air_func *fn)
{
    w->candidates = ARENA_ARRAY(w->scratch, struct candidate, fn->locals.count);
    for (uint32_t i = 0; i < fn->locals.count; i++) {
        const struct air_local *local = &fn->locals.at[i];
        w->out->slot_of[i] = AIR_NONE;
        if (w->across->place[i] == PLACE_PLAIN)
            continue;
        AWC_ASSERT(local->align_bytes != 0 && (local->align_bytes & (local->align_bytes - 1)) == 0);
        w->candidates[w->candidate_count++] =
            (struct candidate){i, local->size_bytes, local->align_bytes};
    }
    if (w->candidate_count != 0)
        qsort(w->candidates, w->candidate_count, sizeof *w->candidates, by_size);
}

/* The slot that `c` may share, or AIR_NONE. */
static uint32_t slot_to_share(struct layout_work *w, const struct candidate *c)
{
    uint32_t found = AIR_NONE;
    BITSET_FOR_EACH (other, &w->across->conflict[c->local]) {
        uint32_t slot = w->out->slot_of[other];
        if (fault_planted(FAULT_CONFLICT_LOST) && other % 2 == 0)
            continue;
        if (fault_planted(FAULT_CONFLICT_OF_ESCAPED_LOST) && w->across->escapes[other])
            continue;
        if (slot != AIR_NONE)
            w->taken_by[slot] = c->local + 1;
    }
    for (uint32_t s = 0; s < w->slot_count; s++) {
        if (w->taken_by[s] == c->local + 1)
            continue;
        if (w->slots[s].align_bytes >= c->align_bytes)
            return s;
        if (found == AIR_NONE)
            found = s;
    }
    return found;
}

static void fill_slots(struct layout_work *w, bool share_slots)
{
    w->slots = ARENA_ARRAY(w->scratch, struct frame_slot, w->candidate_count);
    w->members = ARENA_ARRAY(w->scratch, member_list, w->candidate_count);
    w->taken_by = ARENA_ARRAY(w->scratch, uint32_t, w->candidate_count);
    for (uint32_t i = 0; i < w->candidate_count; i++) {
        const struct candidate *c = &w->candidates[i];
        uint32_t s = share_slots ? slot_to_share(w, c) : AIR_NONE;
        if (s == AIR_NONE) {
            s = w->slot_count++;
            w->slots[s].size_bytes = c->size_bytes;
        }
        if (w->slots[s].align_bytes < c->align_bytes)
            w->slots[s].align_bytes = c->align_bytes;
        VEC_PUSH(w->scratch, &w->members[s], c->local);
        w->out->slot_of[c->local] = s;
    }
}

/* ---- offsets -------------------------------------------------------------------------------- */

static int by_alignment(const void *left, const void *right)
{
    const struct frame_slot *a = left, *b = right;
    int order = descending(a->align_bytes, b->align_bytes);
    if (order == 0)
        order = descending(a->size_bytes, b->size_bytes);
    return order != 0 ? order : by_number(&a->locals[0], &b->locals[0]);
}

static void place_slot(struct frame_layout *out, const struct frame_slot *slot, uint64_t *offset)
{
    struct frame_slot *placed = &out->slots[out->slot_count];
    *placed = *slot;
    placed->offset_bytes = round_up(*offset, slot->align_bytes);
    *offset = placed->offset_bytes + placed->size_bytes;
    for (uint32_t i = 0; i < placed->local_count; i++)
        out->slot_of[placed->locals[i]] = out->slot_count;
    out->slot_count++;
}

/* Fills the room from *offset to `end` with slots of the rest. */
static void fill_gap(struct layout_work *w, bool *is_placed, uint32_t from, uint64_t *offset,
                     uint64_t end)
{
    for (uint32_t s = from; s < w->slot_count && *offset < end; s++) {
        const struct frame_slot *slot = &w->slots[s];
        uint64_t start = round_up(*offset, slot->align_bytes);
        if (is_placed[s] || start > end || slot->size_bytes > end - start)
            continue;
        is_placed[s] = true;
        place_slot(w->out, slot, offset);
    }
}

static void place_slots(struct layout_work *w, uint64_t header_bytes)
{
    struct frame_layout *out = w->out;
    bool *is_placed = ARENA_ARRAY(w->scratch, bool, w->slot_count);
    uint64_t offset = header_bytes;
    if (w->slot_count != 0)
        qsort(w->slots, w->slot_count, sizeof *w->slots, by_alignment);
    for (uint32_t s = 0; s < w->slot_count; s++) {
        if (is_placed[s])
            continue;
        fill_gap(w, is_placed, s + 1, &offset, round_up(offset, w->slots[s].align_bytes));
        place_slot(out, &w->slots[s], &offset);
    }
    out->align_bytes = HEADER_ALIGN_BYTES;
    if (w->slot_count != 0 && w->slots[0].align_bytes > out->align_bytes)
        out->align_bytes = w->slots[0].align_bytes;
    out->size_bytes = round_up(offset, out->align_bytes);
}

struct frame_layout *frame_layout_compute(arena *mem, const air_func *fn,
                                          const struct across_await *across, uint64_t header_bytes,
                                          bool share_slots)
{
    struct frame_layout *out = ARENA_NEW(mem, struct frame_layout);
    struct layout_work w = {.scratch = arena_create(), .across = across, .out = out};
    out->slot_of = ARENA_ARRAY(mem, uint32_t, fn->locals.count);
    collect_candidates(&w, fn);
    fill_slots(&w, share_slots);
    out->slots = ARENA_ARRAY(mem, struct frame_slot, w.slot_count);
    for (uint32_t s = 0; s < w.slot_count; s++) {
        uint32_t count = (uint32_t)w.members[s].count;
        qsort(w.members[s].at, count, sizeof(uint32_t), by_number);
        w.slots[s].locals = arena_copy(mem, w.members[s].at, count * sizeof(uint32_t));
        w.slots[s].local_count = count;
    }
    place_slots(&w, header_bytes);
    arena_destroy(&w.scratch);
    return out;
}
