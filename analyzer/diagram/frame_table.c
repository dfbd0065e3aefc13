/* SPDX-License-Identifier: MIT */
/*
 * Offsets and sizes are the machine's; this file sorts them into rows and says which state keeps
 * which local.
 */
#include "analyzer/diagram/frame_table.h"

#include <stdlib.h>

static void add_local_row(const state_graph *g, frame_table *t, const struct machine_slot *slot,
                          uint32_t k)
{
    const machine *m = g->m;
    uint32_t local = slot->locals[k];
    const struct air_local *l = &m->air->locals.at[local];
    struct frame_row row = {.kind = ROW_LOCAL, .local = local, .sharers = slot->local_count};
    row.offset_bytes = slot->offset_bytes;
    row.size_bytes = l->size_bytes;
    row.align_bytes = slot->align_bytes;
    row.slot_bytes = slot->size_bytes;
    row.name = graph_local_name(m, local);
    row.type = arena_strndup(g->mem, l->type.at, l->type.len);
    row.is_first_sharer = k == 0;
    row.is_resident = m->is_resident[local];
    row.line = l->line;
    row.alive = bitset_new(g->mem, m->state_count + 1);
    for (size_t i = 0; i < g->nodes.count; i++) {
        const struct state_node *n = &g->nodes.at[i];
        for (size_t j = 0; n->state != NULL && j < n->keeps.count; j++) {
            if (n->keeps.at[j].local != local)
                continue;
            bitset_add(&row.alive, n->number - 1);
            if (row.keeper == 0 || n->number < row.keeper) {
                row.keeper = n->number;
                row.why = n->keeps.at[j].why;
            }
        }
    }
    t->local_bytes += k == 0 ? slot->size_bytes : 0;
    t->shared_bytes += k == 0 ? 0 : l->size_bytes;
    VEC_PUSH(g->mem, &t->rows, row);
}

static int by_offset(const void *left, const void *right)
{
    const struct frame_row *a = left, *b = right;
    if (a->offset_bytes != b->offset_bytes)
        return a->offset_bytes < b->offset_bytes ? -1 : 1;
    if (a->size_bytes == 0 || b->size_bytes == 0)
        return (a->size_bytes != 0) - (b->size_bytes != 0);
    return (a->local > b->local) - (a->local < b->local);
}

/* Makes the gaps rows, too. */
static void add_padding(const state_graph *g, frame_table *t)
{
    uint64_t end = 0;
    size_t count = t->rows.count;
    for (size_t i = 0; i <= count; i++) {
        uint64_t next = i < count ? t->rows.at[i].offset_bytes : g->m->frame_bytes;
        if (next > end && !(i < count && i > 0 && next == t->rows.at[i - 1].offset_bytes)) {
            struct frame_row gap = {.kind = ROW_PADDING, .name = "padding", .type = ""};
            gap.offset_bytes = end;
            gap.size_bytes = gap.slot_bytes = next - end;
            t->padding_bytes += gap.size_bytes;
            VEC_PUSH(g->mem, &t->rows, gap);
        }
        if (i < count && next + t->rows.at[i].slot_bytes > end)
            end = next + t->rows.at[i].slot_bytes;
    }
}

frame_table frame_table_build(const state_graph *g)
{
    frame_table t = {0};
    const machine *m = g->m;
    for (uint32_t i = 0; i < m->field_count; i++) {
        const struct machine_field *f = &m->fields[i];
        struct frame_row row = {.kind = ROW_FIELD, .name = f->name, .type = f->type};
        row.offset_bytes = f->offset_bytes;
        row.size_bytes = row.slot_bytes = f->size_bytes;
        row.align_bytes = f->align_bytes;
        t.field_bytes += f->size_bytes;
        VEC_PUSH(g->mem, &t.rows, row);
    }
    for (uint32_t i = 0; i < m->slot_count; i++) {
        for (uint32_t k = 0; k < m->slots[i].local_count; k++)
            add_local_row(g, &t, &m->slots[i], k);
    }
    qsort(t.rows.at, t.rows.count, sizeof *t.rows.at, by_offset);
    add_padding(g, &t);
    qsort(t.rows.at, t.rows.count, sizeof *t.rows.at, by_offset);
    uint64_t worst = 0;
    for (uint32_t i = 0; i < m->state_count; i++) {
        if (m->states[i].room_bytes > worst) {
            worst = m->states[i].room_bytes;
            t.worst_state = i + 1;
        }
    }
    return t;
}
