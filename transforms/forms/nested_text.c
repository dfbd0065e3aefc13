/* SPDX-License-Identifier: MIT */
/*
 * How does the buffer with the made functions come to be? It is the given one, with their text in
 * front of the function that they were made for, and a call in place of each nested form. Each
 * copied range and each made text is noted, so that every place can be told in the user's source.
 */
#include "transforms/forms/nested_text.h"

#include "analyzer/base/check.h"

struct writer {
    arena *mem;
    strview given;
    strbuf out;
    struct nested_map *map;
};

static void put_piece(struct writer *w, uint32_t origin, bool is_copy)
{
    VEC_PUSH(w->mem, &w->map->pieces, (struct nested_piece){(uint32_t)w->out.len, origin, is_copy});
}

static void put_copy(struct writer *w, uint32_t begin, uint32_t end)
{
    if (begin == end)
        return;
    put_piece(w, begin, true);
    strbuf_add(&w->out, w->given.at + begin, end - begin);
}

static void put_made(struct writer *w, uint32_t origin, const char *text)
{
    put_piece(w, origin, false);
    strbuf_str(&w->out, text);
}

static uint32_t begin_of(const ast_function *fn, const ast_node *n)
{
    return fn->tokens[n->first].begin;
}

static uint32_t end_of(const ast_function *fn, const ast_node *n)
{
    return fn->tokens[n->last - 1].end;
}

static void put_range(struct writer *w, const struct nested_function *f, uint32_t begin,
                      uint32_t end);

static void put_call(struct writer *w, const struct nested_function *f,
                     const struct nested_root *root)
{
    const ast_function *fn = f->l->fn;
    uint32_t origin = begin_of(fn, root->form);
    put_made(w, origin, arena_printf(w->mem, "%s(", root->name));
    for (size_t i = 0; i < root->slot_count; i++) {
        const struct nested_slot *slot = root->slots[i];
        const char *comma = i == 0 ? "" : ", ";
        put_made(w, origin, arena_printf(w->mem, "%s%s", comma, slot->by_address ? "&(" : ""));
        put_range(w, f, begin_of(fn, slot->node), end_of(fn, slot->node));
        if (slot->by_address)
            put_made(w, origin, ")");
    }
    put_made(w, origin, ")");
}

/* Copies a range of the function, nested forms in it as calls. */
static void put_range(struct writer *w, const struct nested_function *f, uint32_t begin,
                      uint32_t end)
{
    for (size_t i = 0; i < f->roots.count; i++) {
        const struct nested_root *root = &f->roots.at[i];
        uint32_t from = begin_of(f->l->fn, root->form);
        if (from < begin || from >= end)
            continue;
        put_copy(w, begin, from);
        put_call(w, f, root);
        begin = end_of(f->l->fn, root->form);
    }
    put_copy(w, begin, end);
}

static void add_region(struct writer *w, expanded *out, uint32_t owner, uint32_t begin)
{
    struct region *r = &out->regions[out->region_count];
    *r = w->map->given->regions[owner];
    r->buffer_begin = begin;
    r->buffer_end = (uint32_t)w->out.len;
    w->map->owner[out->region_count++] = owner;
}

static void put_region(struct writer *w, expanded *out, uint32_t index,
                       const struct nested_function *f)
{
    const struct region *r = &w->map->given->regions[index];
    if (f != NULL && f->declaration != NULL)
        put_made(w, f->made.at[0].origin, f->declaration);
    for (size_t i = 0; f != NULL && i < f->made.count; i++) {
        uint32_t begin = (uint32_t)w->out.len;
        put_made(w, f->made.at[i].origin, f->made.at[i].text);
        add_region(w, out, index, begin);
        put_made(w, f->made.at[i].origin, " ");
    }
    uint32_t begin = (uint32_t)w->out.len;
    if (f != NULL)
        put_range(w, f, r->buffer_begin, r->buffer_end);
    else
        put_copy(w, r->buffer_begin, r->buffer_end);
    add_region(w, out, index, begin);
}

const expanded *nested_write(struct unit *u, struct nested_function **functions,
                             struct nested_map *map)
{
    const expanded *given = u->source;
    uint32_t count = given->region_count, at = 0;
    for (uint32_t i = 0; i < given->region_count; i++)
        count += functions[i] == NULL ? 0 : (uint32_t)functions[i]->made.count;
    map->given = given;
    map->owner = ARENA_ARRAY(u->mem, uint32_t, count + 1);
    expanded *out = ARENA_NEW(u->mem, expanded);
    *out = *given;
    out->regions = ARENA_ARRAY(u->mem, struct region, count + 1);
    out->region_count = 0;
    struct writer w = {.mem = u->mem, .given = given->buffer, .map = map};
    w.out = strbuf_in(u->mem);
    for (uint32_t i = 0; i < given->region_count; i++) {
        put_copy(&w, at, given->regions[i].buffer_begin);
        put_region(&w, out, i, functions[i]);
        at = given->regions[i].buffer_end;
    }
    put_copy(&w, at, (uint32_t)given->buffer.len);
    AWC_ASSERT(out->region_count == count);
    out->buffer = strbuf_view(&w.out);
    return out;
}

uint32_t nested_origin(const struct nested_map *map, uint32_t offset)
{
    size_t low = 0, high = map->pieces.count;
    while (low + 1 < high) {
        size_t mid = (low + high) / 2;
        if (map->pieces.at[mid].begin <= offset)
            low = mid;
        else
            high = mid;
    }
    const struct nested_piece *piece = &map->pieces.at[low];
    return piece->is_copy ? piece->origin + (offset - piece->begin) : piece->origin;
}
