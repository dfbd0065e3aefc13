/* SPDX-License-Identifier: MIT */
/*
 * How does the buffer with the made functions come to be? It is the given one, with their text in
 * front of the function that they were made for, and a call in place of each nested form.
 */
#include "transforms/forms/nested_text.h"

static void put_range(rewriter *w, const struct nested_function *f, uint32_t begin, uint32_t end);

static void put_call(rewriter *w, const struct nested_function *f, const struct nested_root *root)
{
    const ast_function *fn = f->l->fn;
    uint32_t origin = ast_begin(fn, root->form);
    rewrite_made(w, origin, arena_printf(w->unit->mem, "%s(", root->name));
    for (size_t i = 0; i < root->slot_count; i++) {
        const struct nested_slot *slot = root->slots[i];
        const char *comma = i == 0 ? "" : ", ";
        rewrite_made(w, origin,
                     arena_printf(w->unit->mem, "%s%s", comma, slot->by_address ? "&(" : ""));
        put_range(w, f, ast_begin(fn, slot->node), ast_end(fn, slot->node));
        if (slot->by_address)
            rewrite_made(w, origin, ")");
    }
    rewrite_made(w, origin, ")");
}

/* Copies a range of the function, nested forms in it as calls. */
static void put_range(rewriter *w, const struct nested_function *f, uint32_t begin, uint32_t end)
{
    for (size_t i = 0; i < f->roots.count; i++) {
        const struct nested_root *root = &f->roots.at[i];
        uint32_t from = ast_begin(f->l->fn, root->form);
        if (from < begin || from >= end)
            continue;
        rewrite_copy(w, begin, from);
        put_call(w, f, root);
        begin = ast_end(f->l->fn, root->form);
    }
    rewrite_copy(w, begin, end);
}

static void put_region(rewriter *w, uint32_t index, void *context)
{
    const struct nested_function *f = ((struct nested_function **)context)[index];
    const struct region *r = &w->old->regions[index];
    if (f != NULL && f->declaration != NULL)
        rewrite_made(w, f->made.at[0].origin, f->declaration);
    for (size_t i = 0; f != NULL && i < f->made.count; i++) {
        uint32_t begin = (uint32_t)w->out.len;
        rewrite_made(w, f->made.at[i].origin, f->made.at[i].text);
        rewrite_region(w, index, begin);
        rewrite_made(w, f->made.at[i].origin, " ");
    }
    uint32_t begin = (uint32_t)w->out.len;
    if (f != NULL)
        put_range(w, f, r->buffer_begin, r->buffer_end);
    else
        rewrite_copy(w, r->buffer_begin, r->buffer_end);
    rewrite_region(w, index, begin);
}

void nested_write(struct unit *u, struct nested_function **functions)
{
    uint32_t count = u->source->region_count;
    for (uint32_t i = 0; i < u->source->region_count; i++)
        count += functions[i] == NULL ? 0 : (uint32_t)functions[i]->made.count;
    rewriter w;
    rewrite_begin(&w, u, count);
    rewrite_regions(&w, put_region, functions);
    rewrite_end(&w);
}
