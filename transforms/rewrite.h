/* SPDX-License-Identifier: MIT */
/*
 * How is a unit's text changed before it is lowered? Some constructs become plainer C first: forms
 * within forms become calls (forms/form_nested.c), arrays of variable size become memory behind a
 * pointer (variable_arrays.c). A rewriter builds the new buffer from copied ranges of the present
 * one and from made text, and a map leads from its bytes back to the user's. The new buffer is then
 * parsed as the first one was.
 */
#ifndef AWAITC_TRANSFORMS_REWRITE_H
#define AWAITC_TRANSFORMS_REWRITE_H

#include "transforms/lowering.h"

/* From this byte of the new buffer on: a copy of the old buffer's from `origin` on, or text made
 * for what stands at `origin`. */
struct rewrite_piece {
    uint32_t begin, origin;
    bool is_copy;
};

struct rewrite_map {
    const expanded *given;            /* the user's, before any change */
    const struct rewrite_map *below;  /* of the buffer that was rewritten; NULL: that was `given` */
    VEC(struct rewrite_piece) pieces; /* ascending, the first one at 0 */
    uint32_t *owner;                  /* [region]: the given region whose text it belongs to */
};

typedef struct rewriter {
    struct unit *unit;
    const expanded *old; /* the buffer that is being rewritten */
    expanded *made;      /* the result */
    struct rewrite_map *map;
    strbuf out;
} rewriter;

/* `region_count`: how many regions the result will have. */
void rewrite_begin(rewriter *w, struct unit *u, uint32_t region_count);
/* Copies bytes of the old buffer. */
void rewrite_copy(rewriter *w, uint32_t begin, uint32_t end);
/* Text that stands for what is at `origin` in the old buffer. */
void rewrite_made(rewriter *w, uint32_t origin, const char *text);
/* What was written from byte `begin` of the new buffer on is a region, which belongs to the old
 * region `index`. */
void rewrite_region(rewriter *w, uint32_t index, uint32_t begin);
/* Declarations that moved out of the old region `index` and are made in front of it: the lowered
 * text has them there, too. */
void rewrite_front(rewriter *w, uint32_t index, const char *text);
/* Copies the unit, each region as `put` writes it: index of the old region. */
void rewrite_regions(rewriter *w, void (*put)(rewriter *w, uint32_t index, void *context),
                     void *context);
/* Closes the unit's parse; from now on its source is the new one. All old trees are void. */
void rewrite_end(rewriter *w);

/* The byte of the user's buffer that a byte of the new one stands for. */
uint32_t rewrite_origin(const struct rewrite_map *map, uint32_t offset);
/* Is this byte of the new buffer, or of one below it, made text? `map` may be NULL. */
bool rewrite_is_made(const struct rewrite_map *map, uint32_t offset);

#endif
