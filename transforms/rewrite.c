/* SPDX-License-Identifier: MIT */
/* How is a new buffer put together, and where do its bytes come from? See rewrite.h. */
#include "transforms/rewrite.h"

#include <stddef.h>

#include "analyzer/base/check.h"

void rewrite_begin(rewriter *w, struct unit *u, uint32_t region_count)
{
    *w = (rewriter){.unit = u, .old = u->source};
    w->map = ARENA_NEW(u->mem, struct rewrite_map);
    w->map->below = u->map;
    w->map->given = u->map != NULL ? u->map->given : u->source;
    w->map->owner = ARENA_ARRAY(u->mem, uint32_t, region_count + 1);
    w->made = ARENA_NEW(u->mem, expanded);
    *w->made = *u->source;
    w->made->regions = ARENA_ARRAY(u->mem, struct region, region_count + 1);
    w->made->region_count = 0;
    w->out = strbuf_in(u->mem);
}

static void put_piece(rewriter *w, uint32_t origin, bool is_copy)
{
    struct rewrite_piece piece = {(uint32_t)w->out.len, origin, is_copy};
    VEC_PUSH(w->unit->mem, &w->map->pieces, piece);
}

void rewrite_copy(rewriter *w, uint32_t begin, uint32_t end)
{
    if (begin == end)
        return;
    put_piece(w, begin, true);
    strbuf_add(&w->out, w->old->buffer.at + begin, end - begin);
}

void rewrite_made(rewriter *w, uint32_t origin, const char *text)
{
    put_piece(w, origin, false);
    strbuf_str(&w->out, text);
}

static uint32_t given_region(const rewriter *w, uint32_t index)
{
    return w->map->below != NULL ? w->map->below->owner[index] : index;
}

void rewrite_front(rewriter *w, uint32_t index, const char *text)
{
    struct unit *u = w->unit;
    if (u->fronts == NULL)
        u->fronts = ARENA_ARRAY(u->mem, const char *, w->map->given->region_count + 1);
    u->fronts[given_region(w, index)] = text;
}

void rewrite_region(rewriter *w, uint32_t index, uint32_t begin)
{
    struct region *r = &w->made->regions[w->made->region_count];
    *r = w->old->regions[index];
    r->buffer_begin = begin;
    r->buffer_end = (uint32_t)w->out.len;
    w->map->owner[w->made->region_count++] = given_region(w, index);
}

void rewrite_regions(rewriter *w, void (*put)(rewriter *w, uint32_t index, void *context),
                     void *context)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < w->old->region_count; i++) {
        rewrite_copy(w, at, w->old->regions[i].buffer_begin);
        put(w, i, context);
        at = w->old->regions[i].buffer_end;
    }
    rewrite_copy(w, at, (uint32_t)w->old->buffer.len);
}

void rewrite_end(rewriter *w)
{
    struct unit *u = w->unit;
    w->made->buffer = strbuf_view(&w->out);
    clang_unit_close(u->clang);
    u->source = w->made;
    u->map = w->map;
}

static const struct rewrite_piece *piece_at(const struct rewrite_map *map, uint32_t offset)
{
    size_t low = vec_find_last(map->pieces.at, sizeof *map->pieces.at,
                               offsetof(struct rewrite_piece, begin), 0, map->pieces.count, offset);
    return &map->pieces.at[low];
}

static uint32_t origin_in(const struct rewrite_piece *piece, uint32_t offset)
{
    return piece->is_copy ? piece->origin + (offset - piece->begin) : piece->origin;
}

uint32_t rewrite_origin(const struct rewrite_map *map, uint32_t offset)
{
    for (; map != NULL; map = map->below)
        offset = origin_in(piece_at(map, offset), offset);
    return offset;
}

bool rewrite_is_made(const struct rewrite_map *map, uint32_t offset)
{
    for (; map != NULL; map = map->below) {
        const struct rewrite_piece *piece = piece_at(map, offset);
        if (!piece->is_copy)
            return true;
        offset = origin_in(piece, offset);
    }
    return false;
}
