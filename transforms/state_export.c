/* SPDX-License-Identifier: MIT */
/*
 * Reads the results of the passes and of the emitters; decides nothing. Places in the frame are
 * those of the struct that was emitted: the slots of frame_layout in their order, each where a C
 * compiler puts a field of its size and alignment, then what emit_function adds. Needs are the
 * constants that emit_function spells as text, with the numbers of runtime/include/awaitc/abi.h.
 */
#include "transforms/state_export.h"

#include <stdlib.h>

#include "analyzer/base/check.h"
#include "transforms/abi_sizes.h"
#include "transforms/variable_arrays.h"

enum { ATTRIBUTE_ALIGNMENT = 16 }; /* of an aligned attribute without a number */

static uint64_t round_up(uint64_t value, uint64_t align)
{
    return align <= 1 ? value : (value + align - 1) / align * align;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static struct machine_text text_of(const lowering *l, uint32_t first, uint32_t last)
{
    return (struct machine_text){.text = ast_text(l->fn, first, last),
                                 .begin = lower_place(l, first),
                                 .end = lower_place(l, last)};
}

static struct machine_text text_of_node(const lowering *l, const ast_node *n)
{
    return text_of(l, n->first, n->last);
}

/* ---- calls and what they need
 * ------------------------------------------------------------------ */

static uint64_t pointer_bytes(const lowering *l)
{
    return clang_unit_pointer_bytes(l->unit->clang);
}

/* Of an int64_t; where the unit has no such type, that of a pointer. */
static uint64_t align_of_64(const lowering *l)
{
    const type_table *types = l->unit->types;
    for (size_t i = 0; i < types->types.count; i++) {
        const struct type *t = &types->types.at[i];
        if (t->cls == TYPE_INT && t->size_bytes == 8)
            return t->align_bytes;
    }
    return pointer_bytes(l);
}

static uint64_t slack_of(const lowering *l, uint64_t align)
{
    return align > pointer_bytes(l) ? align - pointer_bytes(l) : 0;
}

static struct machine_call call_of(const lowering *l, const struct call *call)
{
    struct machine_call out = {.kind = MACHINE_POINTER, .need_bytes = AW_LEAF_ROOM};
    out.place = lower_place(l, call->node->first);
    const machine *known = call->measured != NULL ? call->measured->machine : NULL;
    if (call->function == NULL) {
        out.callee = ast_node_text(l->fn, call->node->kid[0]);
        return out;
    }
    out.callee = call->function->name;
    out.kind = call->function->is_static ? MACHINE_STATIC : MACHINE_EXTERN;
    if (known != NULL) {
        out.need_bytes = known->need_bytes + slack_of(l, known->frame_align_bytes);
        out.is_measured = true;
    } else if (call->function->leaf_need_bytes > 0) {
        out.kind = MACHINE_LEAF;
        out.need_bytes = call->function->leaf_need_bytes;
        out.is_measured = true;
    }
    return out;
}

static uint64_t group_need(const lowering *l, const struct point *p,
                           const struct machine_call *calls, uint32_t count)
{
    bool times = p->form == FORM_TIMEOUT;
    uint64_t rooms = times ? round_up(AW_SLEEP_NEED, 16) : 0;
    for (uint32_t i = 0; i < count; i++)
        rooms += round_up(calls[i].need_bytes, 16);
    return ABI_GROUP_NEED(pointer_bytes(l), align_of_64(l), p->branch_count + (times ? 1u : 0u),
                          rooms);
}

static uint64_t room_of(const lowering *l, const struct point *p, const struct machine_state *s)
{
    switch (p->kind) {
    case POINT_CALL:
        return s->calls[0].need_bytes;
    case POINT_POOL:
        return AW_POOL_NEED;
    case POINT_SCOPE_ENTER:
    case POINT_SCOPE_LEAVE:
        return AW_SCOPE_NEED;
    case POINT_GROUP:
        break;
    }
    return group_need(l, p, s->calls, s->call_count);
}

/* ---- states
 * ------------------------------------------------------------------------------------ */

static const char *form_name(uint8_t form)
{
    switch ((enum ast_form)form) {
    case FORM_ALL:
        return "aw_all";
    case FORM_TRY_ALL:
        return "aw_try_all";
    case FORM_RACE:
        return "aw_race";
    case FORM_TIMEOUT:
        return "aw_timeout";
    case FORM_BLOCKING:
        return "aw_blocking";
    default:
        return "aw_compute";
    }
}

static uint32_t cancel_way(const lowering *l, const struct point *p)
{
    for (size_t i = 0; p->cleanup != NULL && !p->in_cleanup && i < l->ways.count; i++) {
        if (l->ways.at[i]->kind == EXIT_CANCEL)
            return l->ways.at[i]->number;
    }
    return 0;
}

static void add_calls(const lowering *l, const struct point *p, struct machine_state *s)
{
    s->calls = ARENA_ARRAY(l->mem, struct machine_call, p->branch_count + 1);
    if (p->kind == POINT_CALL)
        s->calls[s->call_count++] = call_of(l, &p->call);
    for (uint32_t i = 0; p->kind == POINT_GROUP && i < p->branch_count; i++) {
        if (p->branches[i].call.node != NULL)
            s->calls[s->call_count++] = call_of(l, &p->branches[i].call);
    }
}

static struct machine_state state_of(const lowering *l, const struct point *p)
{
    static const enum machine_state_kind kinds[] = {[POINT_CALL] = MACHINE_CALL,
                                                    [POINT_GROUP] = MACHINE_GROUP,
                                                    [POINT_POOL] = MACHINE_POOL,
                                                    [POINT_SCOPE_ENTER] = MACHINE_SCOPE_ENTER,
                                                    [POINT_SCOPE_LEAVE] = MACHINE_SCOPE_LEAVE};
    struct machine_state s = {.kind = kinds[p->kind], .number = p->number, .name = p->state};
    s.scope = AIR_NONE;
    s.text = text_of_node(l, p->node);
    s.cancel_way = cancel_way(l, p);
    if (p->kind == POINT_GROUP || p->kind == POINT_POOL)
        s.form = form_name(p->form);
    else if (p->kind != POINT_CALL)
        s.form = p->kind == POINT_SCOPE_ENTER ? "aw_scope_spawn" : "aw_scope";
    add_calls(l, p, &s);
    s.room_bytes = room_of(l, p, &s);
    if (p->number != 0) {
        s.keeps = &l->across->across[p->number - 1];
        s.reload = &l->across->reload[p->number - 1];
        s.why = l->across->why[p->number - 1];
    }
    return s;
}

static void export_states(lowering *l, machine *m)
{
    m->state_count = (uint32_t)l->points.count;
    m->states = ARENA_ARRAY(l->mem, struct machine_state, m->state_count + 1);
    for (uint32_t i = 0; i < m->state_count; i++)
        m->states[i] = state_of(l, l->points.at[i]);
    m->plain_call_count = (uint32_t)l->calls.count;
    m->plain_calls = ARENA_ARRAY(l->mem, struct machine_state, m->plain_call_count + 1);
    for (uint32_t i = 0; i < m->plain_call_count; i++)
        m->plain_calls[i] = state_of(l, l->calls.at[i]);
}

static void export_spawns(lowering *l, machine *m)
{
    m->spawns = ARENA_ARRAY(l->mem, struct machine_spawn, l->spawns.count + 1);
    for (size_t i = 0; i < l->spawns.count; i++) {
        const struct spawn *s = l->spawns.at[i];
        enum machine_spawn_kind kind = MACHINE_SPAWN;
        if (s->form == FORM_BLOCK_ON || s->form == FORM_RUNTIME_BLOCK_ON)
            kind = MACHINE_BLOCK_ON;
        else if (s->form == FORM_SCOPE_SPAWN)
            kind = MACHINE_SCOPE_SPAWN;
        m->spawns[m->spawn_count++] = (struct machine_spawn){.kind = kind,
                                                             .call = call_of(l, &s->call),
                                                             .text = text_of_node(l, s->node),
                                                             .is_detached = s->is_discarded};
    }
}

/* ---- clean-ups and ways
 * ------------------------------------------------------------------------ */

static void export_cleanups(lowering *l, machine *m)
{
    static const enum machine_way_kind kinds[] = {[EXIT_RETURN] = MACHINE_RETURN,
                                                  [EXIT_CANCEL] = MACHINE_CANCEL,
                                                  [EXIT_GOTO] = MACHINE_GOTO,
                                                  [EXIT_BREAK] = MACHINE_BREAK,
                                                  [EXIT_CONTINUE] = MACHINE_CONTINUE};
    m->way_count = (uint32_t)l->ways.count;
    m->ways = ARENA_ARRAY(l->mem, enum machine_way_kind, m->way_count + 1);
    for (uint32_t i = 0; i < m->way_count; i++)
        m->ways[i] = kinds[l->ways.at[i]->kind];
    m->cleanup_count = (uint32_t)l->cleanups.count;
    m->cleanups = ARENA_ARRAY(l->mem, struct machine_cleanup, m->cleanup_count + 1);
    for (uint32_t i = 0; i < m->cleanup_count; i++) {
        const struct cleanup *c = l->cleanups.at[i];
        struct machine_cleanup *out = &m->cleanups[i];
        out->kind = c->is_scope       ? MACHINE_SCOPE
                    : c->decl != NULL ? MACHINE_VARIABLE
                                      : MACHINE_DEFER;
        out->text = text_of_node(l, c->decl == NULL ? c->node->kid[0] : c->node);
        if (c->decl != NULL) {
            strview shown = sv_from(variable_array_shown(l->mem, c->decl->name));
            const char *end = memmem(shown.at, shown.len, " (storage)", 10);
            out->variable = end == NULL ? shown : (strview){shown.at, (size_t)(end - shown.at)};
            out->function = c->decl->cleanup_function;
        }
        out->block = AIR_NONE;
    }
}

/* ---- branches and scopes
 * ----------------------------------------------------------------------- */

static enum machine_scope_kind scope_kind(const ast_node *n)
{
    switch (n->kind) {
    case AST_FOR:
        return MACHINE_FOR;
    case AST_WHILE:
        return MACHINE_WHILE;
    case AST_DO:
        return MACHINE_DO;
    case AST_SWITCH:
        return MACHINE_SWITCH_BODY;
    default:
        return MACHINE_STMT_EXPR;
    }
}

struct scope_walk {
    lowering *l;
    VEC(struct machine_scope) found;
    VEC(const ast_node *) nodes;
};

static struct machine_text head_text(const lowering *l, const ast_node *n)
{
    if (n->kind == AST_DO)
        return text_of_node(l, n->kid[1]);
    return text_of(l, n->first, n->kid[n->kid_count - 1]->first);
}

static void find_scopes(struct scope_walk *w, const ast_node *n, uint32_t parent)
{
    if (scope_kind(n) != MACHINE_STMT_EXPR && (n->bits & MARK_AWAIT) != 0) {
        struct machine_scope s = {.kind = scope_kind(n), .parent = parent, .block = AIR_NONE};
        s.head = head_text(w->l, n);
        s.first_line = lower_place(w->l, n->first).line;
        s.last_line = lower_place(w->l, n->last - 1).line;
        parent = (uint32_t)w->found.count;
        VEC_PUSH(w->l->mem, &w->found, s);
        VEC_PUSH(w->l->mem, &w->nodes, n);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_scopes(w, n->kid[i], parent);
    }
}

static uint32_t scope_index(const struct scope_walk *w, const ast_node *n)
{
    for (; n != NULL; n = n->parent) {
        for (size_t i = 0; i < w->nodes.count; i++) {
            if (w->nodes.at[i] == n)
                return (uint32_t)i;
        }
    }
    return AIR_NONE;
}

static void export_scopes(lowering *l, machine *m)
{
    struct scope_walk w = {.l = l};
    find_scopes(&w, l->fn->root->kid[2], AIR_NONE);
    for (uint32_t i = 0; i < m->state_count; i++)
        m->states[i].scope = scope_index(&w, l->points.at[i]->node->parent);
    for (size_t i = 0; i < l->notes.count; i++) {
        const struct block_note *note = &l->notes.at[i];
        for (size_t k = 0; note->kind == NOTE_LOOP_HEAD && k < w.nodes.count; k++) {
            if (w.nodes.at[k] == note->node)
                w.found.at[k].block = note->block;
        }
    }
    m->scopes = w.found.at;
    m->scope_count = (uint32_t)w.found.count;
}

static struct machine_text case_text(const lowering *l, const ast_node *c)
{
    uint32_t last = c->first + 1; /* without the colon */
    if (c->kind == AST_CASE)
        last = c->kid[1] != NULL ? c->kid[1]->last : c->kid[0]->last;
    return text_of(l, c->first, last);
}

static void set_switch(const lowering *l, const struct block_note *note, const struct air_op *op,
                       struct machine_branch *b)
{
    b->kind = MACHINE_SWITCH;
    b->condition = text_of_node(l, note->node->kid[0]);
    b->cases = ARENA_ARRAY(l->mem, struct machine_text, op->target_count + 1);
    b->is_default = ARENA_ARRAY(l->mem, bool, op->target_count + 1);
    for (uint32_t t = 0; t < op->target_count; t++) {
        b->is_default[t] = note->cases[t] == NULL || note->cases[t]->kind == AST_DEFAULT;
        if (!b->is_default[t])
            b->cases[t] = case_text(l, note->cases[t]);
        if (note->cases[t] == NULL)
            break;
    }
}

static void set_dispatch(const lowering *l, const struct block_note *note, const struct air_op *op,
                         struct machine_branch *b)
{
    b->kind = MACHINE_DISPATCH;
    b->ways = ARENA_ARRAY(l->mem, uint32_t, op->target_count + 1);
    for (uint32_t t = 1; t < op->target_count; t++)
        b->ways[t] = note->cleanup->ways.at[t - 1]->number;
}

/* The child of an if or loop that is its condition. */
static uint32_t condition_of(const ast_node *n)
{
    return n->kind == AST_DO || n->kind == AST_FOR ? 1 : 0;
}

static bool is_float(const lowering *l, const ast_node *n)
{
    type_id id = n->converted != TYPE_NONE ? n->converted : n->type;
    enum type_class cls = type_of(l, id)->cls;
    return cls == TYPE_FLOAT || cls == TYPE_COMPLEX || cls == TYPE_UNKNOWN;
}

static void set_condition(const lowering *l, enum machine_branch_kind kind, const ast_node *n,
                          struct machine_branch *b)
{
    b->kind = kind;
    b->condition = text_of_node(l, n);
    if (n->kind == AST_BINARY && n->op >= OP_LT && n->op <= OP_NE)
        b->is_comparison = n->op >= OP_EQ || (!is_float(l, n->kid[0]) && !is_float(l, n->kid[1]));
}

/* The block whose branch asks for the value of `n`, as it is. */
static uint32_t block_asking(const lowering *l, const ast_node *n)
{
    for (size_t i = 0; i < l->notes.count; i++) {
        const struct block_note *note = &l->notes.at[i];
        if ((note->kind != NOTE_IF && note->kind != NOTE_LOOP_CONDITION) || note->node == NULL)
            continue;
        if (note->node->kid[condition_of(note->node)] == n)
            return note->block;
    }
    return AIR_NONE;
}

/* a && await b(): where a does not hold, neither does the whole, nor what it is part of. */
static void find_settled(const lowering *l, const struct item *item, struct machine_branch *b)
{
    const ast_node *n = item->expr, *up = n->parent;
    b->settles = AIR_NONE;
    if (up == NULL || (up->kind != AST_AND_AND && up->kind != AST_OR_OR) || item->second.count > 0)
        return;
    bool value = up->kind == AST_OR_OR;
    for (n = up; n != NULL && b->settles == AIR_NONE; n = up) {
        b->settles = block_asking(l, n);
        up = n->parent;
        bool keeps = up != NULL && (up->kind == AST_PAREN || (up->kind == AST_AND_AND && !value) ||
                                    (up->kind == AST_OR_OR && value));
        bool flips = up != NULL && up->kind == AST_UNARY && up->op == OP_NOT;
        if (!keeps && !flips)
            up = NULL;
        if (flips && b->settles == AIR_NONE)
            value = !value;
    }
    b->settled = value ? 0 : 1;
}

static void set_branch(const lowering *l, machine *m, const struct block_note *note,
                       struct machine_branch *b)
{
    const struct air_op *op = &VEC_LAST(&l->air->blocks.at[note->block].ops);
    switch (note->kind) {
    case NOTE_IF:
        set_condition(l, MACHINE_IF, note->node->kid[0], b);
        break;
    case NOTE_LOOP_CONDITION:
        set_condition(l, MACHINE_LOOP, note->node->kid[condition_of(note->node)], b);
        break;
    case NOTE_SWITCH:
        set_switch(l, note, op, b);
        break;
    case NOTE_ITEM_IF:
        set_condition(l, MACHINE_LAZY, note->item->expr, b);
        b->negate = note->item->negate;
        find_settled(l, note->item, b);
        break;
    case NOTE_CLEANUP:
        m->cleanups[note->cleanup->number - 1].block = note->block;
        break;
    case NOTE_CLEANUP_DISPATCH:
        set_dispatch(l, note, op, b);
        break;
    case NOTE_WAY_OUT:
        b->kind = MACHINE_WAY_OUT;
        b->ways = ARENA_ARRAY(l->mem, uint32_t, 1);
        b->ways[0] = note->way != NULL ? note->way->number : 0;
        break;
    case NOTE_LOOP_HEAD:
        break;
    }
}

static void export_branches(lowering *l, machine *m)
{
    struct machine_branch *branches =
        ARENA_ARRAY(l->mem, struct machine_branch, l->air->blocks.count + 1);
    for (size_t i = 0; i < l->air->blocks.count; i++)
        branches[i].settles = AIR_NONE;
    for (size_t i = 0; i < l->notes.count; i++)
        set_branch(l, m, &l->notes.at[i], &branches[l->notes.at[i].block]);
    m->branches = branches;
}

/* ---- the frame
 * --------------------------------------------------------------------------------- */

static type_id result_type(const lowering *l)
{
    return type_of(l, type_of(l, l->fn->type)->elem)->unqualified;
}

static void add_field(lowering *l, machine *m, struct machine_field field, uint64_t *offset)
{
    field.offset_bytes = round_up(*offset, field.align_bytes);
    *offset = field.offset_bytes + field.size_bytes;
    m->frame_align_bytes = larger(m->frame_align_bytes, field.align_bytes);
    struct machine_field *fields = ARENA_ARRAY(l->mem, struct machine_field, m->field_count + 1);
    for (uint32_t i = 0; i < m->field_count; i++)
        fields[i] = m->fields[i];
    fields[m->field_count++] = field;
    m->fields = fields;
}

/* A number that is all of the text up to the closing parenthesis, or 0. */
static uint64_t plain_number(const char *at)
{
    char *end = NULL;
    uint64_t value = *at >= '0' && *at <= '9' ? strtoull(at, &end, 0) : 0;
    return end != NULL && end[strspn(end, "uUlL ")] == ')' ? value : 0;
}

/* What an _Alignas or aligned attribute of its own says; *is_known: it is a plain number or a type,
 * or says nothing. */
static uint64_t declared_align(const lowering *l, const ast_node *part, bool *is_known)
{
    strview text = ast_node_text(l->fn, part);
    if (part->kind == AST_ALIGNAS) {
        const ast_node *n = part->kid_count > 0 ? part->kid[0] : NULL;
        bool is_type = n != NULL && n->kind == AST_TYPE_NAME && n->type != TYPE_NONE;
        *is_known = is_type || (n != NULL && n->kind == AST_NUMBER);
        if (is_type)
            return type_of(l, n->type)->align_bytes;
        return *is_known ? strtoull(ast_node_text(l->fn, n).at, NULL, 0) : 0;
    }
    const char *at = memmem(text.at, text.len, "aligned", 7);
    if (part->kind != AST_ATTRIBUTE || at == NULL)
        return 0;
    at += strspn(at, "aligned_ ");
    if (*at != '(')
        return ATTRIBUTE_ALIGNMENT;
    uint64_t value = plain_number(at + 1 + strspn(at + 1, " "));
    *is_known = value != 0;
    return value;
}

static uint64_t own_align(const lowering *l, const ast_decl *d, bool *is_known)
{
    uint64_t most = 0;
    if (decl_is_temp(d) || d->declarator == NULL || d->kind != DECL_VAR)
        return 0;
    const ast_node *s = d->declarator->parent;
    const ast_node *parts[2] = {s != NULL && s->kid_count > 0 ? s->kid[0] : NULL, d->declarator};
    for (int part = 0; part < 2; part++) {
        for (uint32_t i = 0; parts[part] != NULL && i < parts[part]->kid_count; i++) {
            if (parts[part]->kid[i] != NULL)
                most = larger(most, declared_align(l, parts[part]->kid[i], is_known));
        }
    }
    return most;
}

static void add_slot(lowering *l, machine *m, uint32_t index, uint64_t *offset)
{
    const struct frame_slot *s = &l->layout->slots[index];
    struct machine_slot *out = &m->slots[index];
    *out = (struct machine_slot){.locals = s->locals, .local_count = s->local_count};
    out->align_bytes = s->align_bytes;
    bool is_known = true;
    for (uint32_t i = 0; i < s->local_count; i++)
        out->align_bytes =
            larger(out->align_bytes, own_align(l, l->locals.at[s->locals[i]], &is_known));
    m->is_guessed |= !is_known;
    out->size_bytes =
        s->local_count > 1 ? round_up(s->size_bytes, out->align_bytes) : s->size_bytes;
    out->is_behind_child = index == l->tail_slot;
    out->offset_bytes = round_up(*offset, out->align_bytes);
    *offset = out->offset_bytes + out->size_bytes;
    m->frame_align_bytes = larger(m->frame_align_bytes, out->align_bytes);
}

static void export_frame(lowering *l, machine *m)
{
    uint64_t offset = 0;
    m->frame_align_bytes = pointer_bytes(l);
    m->shares_slots = l->unit->options->share_slots;
    m->is_guessed =
        memmem(l->unit->source->buffer.at, l->unit->source->buffer.len, "pack", 4) != NULL;
    m->child_bytes = AW_LEAF_ROOM;
    for (uint32_t i = 0; i < m->state_count; i++)
        m->child_bytes = larger(m->child_bytes, m->states[i].room_bytes);
    for (uint32_t i = 0; i < m->plain_call_count; i++)
        m->child_bytes = larger(m->child_bytes, m->plain_calls[i].room_bytes);
    add_field(l, m,
              (struct machine_field){.name = "header",
                                     .type = "aw_frame",
                                     .size_bytes = ABI_FRAME_BYTES(pointer_bytes(l)),
                                     .align_bytes = pointer_bytes(l)},
              &offset);
    m->slot_count = l->layout->slot_count;
    m->slot_of = l->layout->slot_of;
    m->slots = ARENA_ARRAY(l->mem, struct machine_slot, m->slot_count + 1);
    for (uint32_t i = 0; i < m->slot_count; i++) {
        if (i == l->tail_slot)
            add_field(l, m,
                      (struct machine_field){.name = "child",
                                             .type = "room for what is awaited",
                                             .size_bytes = m->child_bytes,
                                             .align_bytes = 8},
                      &offset);
        add_slot(l, m, i, &offset);
    }
    const struct type *result = type_of(l, result_type(l));
    if (l->stores_why) {
        add_field(l, m,
                  (struct machine_field){
                      .name = "way out", .type = "unsigned", .size_bytes = 4, .align_bytes = 4},
                  &offset);
        if (result->cls != TYPE_VOID)
            add_field(l, m,
                      (struct machine_field){.name = "result",
                                             .type = declare_text(l, result_type(l)),
                                             .size_bytes = result->size_bytes,
                                             .align_bytes = result->align_bytes},
                      &offset);
    }
    m->frame_bytes = round_up(offset, m->frame_align_bytes);
}

/* sizeof(struct aw__args_N): the arguments of a call that was put off. */
static uint64_t arguments_bytes(const lowering *l)
{
    uint64_t align = pointer_bytes(l), offset = ABI_FRAME_BYTES(align);
    for (size_t i = 0; i < l->fn->params.count; i++) {
        const struct type *t = type_of(l, l->fn->params.at[i]->type);
        offset = round_up(offset, t->align_bytes) + t->size_bytes;
        align = larger(align, t->align_bytes);
    }
    return round_up(offset, align);
}

static void export_need(lowering *l, machine *m)
{
    const struct type *result = type_of(l, result_type(l));
    m->need_bytes = m->frame_bytes + m->child_bytes;
    if (l->tail_slot != AIR_NONE)
        m->need_bytes = m->slots[l->tail_slot].offset_bytes + m->slots[l->tail_slot].size_bytes;
    if (l->fn->params.count > 0 && l->needs_entry)
        m->need_bytes = larger(m->need_bytes, arguments_bytes(l));
    if (result->cls != TYPE_VOID)
        m->need_bytes =
            larger(m->need_bytes, ABI_FRAME_BYTES(pointer_bytes(l)) +
                                      slack_of(l, result->align_bytes) + result->size_bytes);
}

static void export_locals(lowering *l, machine *m)
{
    bool *resident = ARENA_ARRAY(l->mem, bool, l->locals.count + 1);
    bool *temp = ARENA_ARRAY(l->mem, bool, l->locals.count + 1);
    const char **names = ARENA_ARRAY(l->mem, const char *, l->locals.count + 1);
    for (size_t i = 0; i < l->locals.count; i++) {
        resident[i] = l->plan[i].place == PLACE_RESIDENT;
        temp[i] = decl_is_temp(l->locals.at[i]);
        names[i] = variable_array_shown(l->mem, l->locals.at[i]->name);
    }
    m->is_resident = resident;
    m->is_made_temp = temp;
    m->local_names = names;
}

/* ---- the function
 * ------------------------------------------------------------------------------ */

void state_export(lowering *l)
{
    machine *m = ARENA_NEW(l->mem, machine);
    const ast_node *root = l->fn->root;
    m->name = l->fn->name;
    m->is_async = l->is_async;
    m->is_main = l->is_main;
    m->is_static = l->fn->is_static;
    m->is_public = l->needs_entry;
    m->is_made = l->unit->map != NULL && memmem(m->name.at, m->name.len, "__nest_", 7) != NULL;
    m->place = lower_place(l, root->kid[1]->name_token);
    m->end = lower_place(l, l->fn->token_count > 0 ? l->fn->token_count - 1 : 0);
    m->signature = text_of(l, root->first, root->kid[2]->first);
    export_spawns(l, m);
    if (l->is_async) {
        m->air = l->air;
        export_states(l, m);
        export_cleanups(l, m);
        export_scopes(l, m);
        export_branches(l, m);
        export_locals(l, m);
        export_frame(l, m);
        export_need(l, m);
    }
    l->machine = m; /* not earlier: a function does not know its own need */
}

machine_list state_export_list(const struct unit *u)
{
    machine **at = ARENA_ARRAY(u->mem, machine *, u->function_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < u->function_count; i++) {
        if (u->functions[i] != NULL && u->functions[i]->machine != NULL)
            at[count++] = u->functions[i]->machine;
    }
    return (machine_list){at, count};
}
