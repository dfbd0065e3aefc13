/* SPDX-License-Identifier: MIT */
/*
 * The lowered text is parsed once more; the fields of each frame come in the order in which
 * state_export knows them. Then needs have changed, and so have the rooms that callers set aside;
 * a caller's own need is measured, too, so that nothing has to be carried on.
 */
#include "transforms/measure_frames.h"

#include "analyzer/parse/clang_frames.h"
#include "transforms/abi_sizes.h"

enum { ROOM_ALIGN = 16 /* of the branches of a group */ };

struct measure {
    clang_frame_list frames;
    machine_list machines;
    uint64_t pointer_bytes;
};

static const struct clang_frame *frame_of(const struct measure *w, const machine *m)
{
    for (size_t i = 0; i < w->frames.all.count; i++) {
        if (sv_equal(w->frames.all.at[i].name, m->name))
            return &w->frames.all.at[i];
    }
    return NULL;
}

/* Takes the places over: header, slots with the child's room between them, the rest. */
static void take_places(arena *mem, machine *m, const struct clang_frame *f)
{
    struct machine_field *fields = arena_copy(mem, m->fields, m->field_count * sizeof *m->fields);
    uint32_t at = 0, field = 0;
    fields[field++].offset_bytes = f->fields.at[at++].offset_bytes;
    for (uint32_t i = 0; i < m->slot_count; i++) {
        if (m->slots[i].is_behind_child)
            fields[field++].offset_bytes = f->fields.at[at++].offset_bytes;
        m->slots[i].offset_bytes = f->fields.at[at].offset_bytes;
        m->slots[i].size_bytes = f->fields.at[at++].size_bytes;
    }
    while (field < m->field_count)
        fields[field++].offset_bytes = f->fields.at[at++].offset_bytes;
    m->fields = fields;
    m->frame_bytes = f->size_bytes;
    m->frame_align_bytes = f->align_bytes;
    m->need_bytes = f->need_bytes;
}

static const machine *callee_of(const struct measure *w, const struct machine_call *call)
{
    for (uint32_t i = 0; i < w->machines.count; i++) {
        const machine *m = w->machines.at[i];
        bool is_known = call->is_measured && call->kind != MACHINE_LEAF && m->is_async;
        if (is_known && sv_equal(m->name, call->callee))
            return m;
    }
    return NULL;
}

static void take_rooms(const struct measure *w, struct machine_state *states, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct machine_state *s = &states[i];
        for (uint32_t k = 0; k < s->call_count; k++) {
            struct machine_call *call = &s->calls[k];
            const machine *callee = callee_of(w, call);
            uint64_t step = s->kind == MACHINE_GROUP ? ROOM_ALIGN : 1, was = call->need_bytes;
            if (callee == NULL)
                continue;
            call->need_bytes = callee->need_bytes;
            if (callee->frame_align_bytes > w->pointer_bytes)
                call->need_bytes += callee->frame_align_bytes - w->pointer_bytes;
            s->room_bytes += ABI_ROUND_UP(call->need_bytes, step);
            s->room_bytes -= ABI_ROUND_UP(was, step);
        }
    }
}

static void widen(uint64_t *room, const struct machine_state *states, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        *room = states[i].room_bytes > *room ? states[i].room_bytes : *room;
}

static void take_child(arena *mem, machine *m)
{
    struct machine_field *fields = arena_copy(mem, m->fields, m->field_count * sizeof *m->fields);
    m->child_bytes = AW_LEAF_ROOM;
    widen(&m->child_bytes, m->states, m->state_count);
    widen(&m->child_bytes, m->plain_calls, m->plain_call_count);
    for (uint32_t i = 0; i < m->slot_count; i++) {
        if (m->slots[i].is_behind_child)
            fields[1 + i].size_bytes = m->child_bytes;
    }
    m->fields = fields;
}

static bool is_any_guessed(machine_list machines)
{
    for (uint32_t i = 0; i < machines.count; i++) {
        if (machines.at[i]->is_guessed)
            return true;
    }
    return false;
}

void measure_frames(arena *mem, const char *path, strview text, const char *const *args,
                    uint32_t arg_count, machine_list machines)
{
    const char *failure = NULL;
    const char **own = ARENA_ARRAY(mem, const char *, arg_count + 1);
    for (uint32_t i = 0; i < arg_count; i++)
        own[i] = args[i];
    own[arg_count] = "-U__AWAITC_PARSE__"; /* the text is lowered already */
    struct clang_unit_request request = {
        .path = path, .buffer = text, .args = own, .arg_count = arg_count + 1};
    clang_unit *u = is_any_guessed(machines) ? clang_unit_parse(mem, &request, &failure) : NULL;
    if (u == NULL)
        return;
    struct measure w = {clang_frames(u), machines, clang_unit_pointer_bytes(u)};
    for (uint32_t i = 0; i < machines.count; i++) {
        machine *m = machines.at[i];
        const struct clang_frame *f = m->is_async ? frame_of(&w, m) : NULL;
        if (f != NULL && f->fields.count == m->slot_count + m->field_count && f->need_bytes > 0)
            take_places(mem, m, f);
    }
    for (uint32_t i = 0; i < machines.count; i++) {
        machine *m = machines.at[i];
        take_rooms(&w, m->states, m->state_count);
        take_rooms(&w, m->plain_calls, m->plain_call_count);
        if (m->is_async)
            take_child(mem, m);
    }
    clang_unit_close(u);
}
