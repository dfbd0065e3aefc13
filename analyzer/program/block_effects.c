/* SPDX-License-Identifier: MIT */
/*
 * Breadth first from the leaves, so that the first way found to a leaf is a shortest one. A
 * function keeps one effect for each leaf function and combination of argument values, and at most
 * MAX_EFFECTS: more would say nothing new to a reader.
 */
#include "analyzer/program/block_effects.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/program/fd_modes.h"
#include "analyzer/program/known_locks.h"
#include "analyzer/program/program_private.h"
#include "analyzer/sema/sema.h"

enum {
    MAX_EFFECTS = 24,
    MAX_DEPTH = 64,
    SURE_DEPTH = 12, /* on longer ways some branch mostly leads elsewhere */
    FEW_TARGETS = 4  /* a pointer that callers fill with more than these is hardly followed */
};

struct function_effects {
    VEC(struct effect *) all;
};

static struct function_effects *effects_in(program *p, program_function *f)
{
    if (f->effects == NULL)
        f->effects = ARENA_NEW(p->mem, struct function_effects);
    return f->effects;
}

struct effect *const *block_effects_of(const program_function *f, uint32_t *count)
{
    const struct function_effects *effects = f->effects;
    *count = effects == NULL ? 0 : (uint32_t)effects->all.count;
    return effects == NULL ? NULL : effects->all.at;
}

/* ---- what quick means ------------------------------------------------------------------------ */

/* Sets is_weak; false if the guard says that the leaf does not wait on this way. At last nothing
 * depends on a caller any more. */
static bool may_wait(program *p, struct effect *e, bool at_last)
{
    const struct guard *guard = e->kind == EFFECT_LOOP ? NULL
                                : e->known != NULL     ? &e->known->guard
                                                       : NULL;
    e->depends = false;
    if (guard == NULL || guard->count == 0)
        return true;
    switch (at_last ? guard_holds_at_last(p, e->leaf, guard, e->args, e->arg_count)
                    : guard_holds_with(p, e->leaf, guard, e->args, e->arg_count)) {
    case GUARD_HOLDS:
        return false;
    case GUARD_UNSURE:
        e->is_weak = true;
        return true;
    case GUARD_DEPENDS: /* the caller decides */
        e->is_weak = e->depends = true;
        return true;
    case GUARD_FAILS:
    case GUARD_UNKNOWN:
        break;
    }
    e->is_weak = e->is_doubtful;
    return true;
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* Can the condition hold of the value? */
static bool can_hold(const struct bound_condition *c)
{
    const struct value *v = &c->value.value;
    if (c->record != NULL)
        return v->kind != VALUE_ADDRESS || v->record == NULL || strcmp(v->record, c->record) == 0;
    switch (v->kind) {
    case VALUE_NUMBER:
        return (v->number == c->number) == c->equal;
    case VALUE_ADDRESS:
    case VALUE_STRING:
    case VALUE_FUNCTION:
    case VALUE_ZEROS:
        return !(c->equal && c->number == 0);
    default:
        return true;
    }
}

/* Adds the conditions under which the function makes the call. */
static void add_conditions(program *p, struct effect *e, const struct program_call *call)
{
    size_t count = call->fact->when.count;
    if (count == 0)
        return;
    struct bound_condition *all =
        ARENA_ARRAY(p->mem, struct bound_condition, e->when_count + count);
    for (uint32_t i = 0; i < e->when_count; i++)
        all[i] = e->when[i];
    for (size_t i = 0; i < count; i++) {
        const struct fact_condition *one = &call->fact->when.at[i];
        struct value param = {.kind = VALUE_PARAM, .number = one->param};
        all[e->when_count++] =
            (struct bound_condition){{call->caller, param}, one->equal, one->number, one->record};
    }
    e->when = all;
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static struct effect *new_leaf(program *p, const struct program_call *call)
{
    struct effect *e = ARENA_NEW(p->mem, struct effect);
    e->call = e->leaf = call;
    e->depth = 1;
    e->arg_count = (uint32_t)call->fact->args.count;
    e->args = ARENA_ARRAY(p->mem, struct bound_value, e->arg_count + 1);
    for (uint32_t i = 0; i < e->arg_count; i++)
        e->args[i] = (struct bound_value){call->caller, call->fact->args.at[i]};
    add_conditions(p, e, call);
    return e;
}

static bool is_known_name(const program *p, const char *name)
{
    return known_blocking_find(p->settings->known, sv_from(name)) != NULL ||
           known_loop_find(p->settings->known, sv_from(name)) != NULL;
}

/* What the source states of the function that is called. */
static unsigned stated_of(const struct program_call *call)
{
    unsigned stated = 0;
    for (uint32_t i = 0; i < call->callee_count; i++)
        stated |= call->callees[i]->fact->stated;
    return stated;
}

/* Does the program's own body say what the call does? A row of the facts says more of a library
 * that is part of the program: when a call of it is quick. */
static bool body_decides(const program *p, const struct program_call *call)
{
    const struct fact_call *fact = call->fact;
    for (uint32_t i = 0; i < call->callee_count; i++) {
        const struct fact_function *f = call->callees[i]->fact;
        if (f->is_defined &&
            (f->is_static || fact->callee_kind != CALLEE_NAME || !is_known_name(p, fact->callee)))
            return true;
    }
    return false;
}

/* The leaf effect of a call by itself, or NULL. */
static struct effect *leaf_effect(program *p, struct program_call *call)
{
    const struct fact_call *fact = call->fact;
    bool runs_here = fact->run == RUN_HERE && !fact->is_async && !fact->is_last;
    if (fact->run == RUN_DRIVEN) {
        struct effect *e = new_leaf(p, call);
        e->kind = EFFECT_LOOP;
        return e;
    }
    unsigned stated = stated_of(call);
    if (!runs_here || (stated & STATED_NONBLOCKING) != 0)
        return NULL;
    if ((stated & (STATED_BLOCKS | STATED_NOT_IN_ASYNC)) != 0) {
        struct effect *e = new_leaf(p, call);
        e->tier = TIER_WAITS;
        return e;
    }
    if (fact->callee_kind != CALLEE_NAME || body_decides(p, call))
        return NULL;
    strview name = sv_from(fact->callee);
    const struct known_loop *loop = known_loop_find(p->settings->known, name);
    if (loop != NULL) {
        struct effect *e = new_leaf(p, call);
        e->kind = EFFECT_LOOP;
        e->loop = loop;
        return e;
    }
    const struct known_blocking *known = known_blocking_find(p->settings->known, name);
    bool counts = known != NULL && (known->tier == TIER_WAITS || known->tier == TIER_MAYBE ||
                                    (known->tier == TIER_SHORT && call->caller->unit->is_strict));
    if (!counts)
        return NULL;
    struct effect *e = new_leaf(p, call);
    e->known = known;
    e->tier = known->tier;
    if ((known->reasons & REASON_NESTED_LOOP) != 0)
        e->kind = EFFECT_LOOP;
    return may_wait(p, e, false) ? e : NULL;
}

/* ---- one step up ----------------------------------------------------------------------------- */

/* Is the pointer filled by name only: a table of commands, the states of a parser? Each of its
 * functions is meant here then; what callers pass for it is meant for each caller's own use. */
static bool is_filled_by_name(program *p, const struct program_call *call)
{
    const struct key_info *info =
        call->fact->callee_kind == CALLEE_KEY ? program_key(p, call->fact->callee, false) : NULL;
    for (size_t i = 0; info != NULL && i < info->stores.count; i++) {
        enum value_kind kind = info->stores.at[i].value->kind;
        if (kind != VALUE_FUNCTION && kind != VALUE_NUMBER)
            return false;
    }
    return info != NULL;
}

/* Is it hardly sure that this call leads to that wait? A pointer that may be many functions; a lock
 * that a library takes behind a pointer, which mostly asks first on which thread it is. */
static bool is_doubtful(program *p, const struct program_call *call, const struct effect *e)
{
    bool through_pointer = call->fact->callee_kind != CALLEE_NAME;
    bool is_lock = e->known != NULL && (e->known->reasons & REASON_LOCK) != 0 &&
                   known_lock_find(p->settings->known, e->known->key.name) != NULL;
    return e->depth > SURE_DEPTH ||
           (call->callee_count > FEW_TARGETS && !is_filled_by_name(p, call)) ||
           (through_pointer && is_lock);
}

/* Is the value a parameter of the callee for which the call has an argument? */
static bool is_passed(const struct bound_value *v, const struct program_call *call,
                      const program_function *callee)
{
    bool is_param = v->value.kind == VALUE_PARAM || v->value.kind == VALUE_CHOICE;
    return is_param && v->function == callee && (size_t)v->value.number < call->fact->args.count;
}

/* What the call passes for it. */
static struct bound_value passed(const struct bound_value *v, const struct program_call *call)
{
    struct bound_value by = {call->caller, call->fact->args.at[v->value.number]};
    struct value *is = &by.value;
    if (v->value.kind == VALUE_CHOICE) {
        struct value both = {.kind = VALUE_FLAGS, .number = v->value.with & v->value.otherwise};
        if (is->kind == VALUE_NUMBER)
            *is = (struct value){.kind = VALUE_NUMBER,
                                 .number = is->number != 0 ? v->value.with : v->value.otherwise};
        else if (is->kind == VALUE_PARAM && is->with == 0)
            *is = (struct value){.kind = VALUE_CHOICE,
                                 .number = is->number,
                                 .with = v->value.with,
                                 .otherwise = v->value.otherwise};
        else
            *is = both;
    } else if (v->value.with != 0) {
        if (is->kind == VALUE_NUMBER || is->kind == VALUE_FLAGS)
            is->number |= v->value.with;
        else if (is->kind == VALUE_PARAM)
            is->with |= v->value.with;
        else
            *is = (struct value){.kind = VALUE_FLAGS, .number = v->value.with};
    }
    return by;
}

/* The conditions of e as the call decides them: those that stay open; false if one cannot hold. */
static bool decide_conditions(program *p, struct effect *e, const struct program_call *call,
                              const program_function *callee)
{
    if (e->when_count == 0)
        return true;
    struct bound_condition *open = ARENA_ARRAY(p->mem, struct bound_condition, e->when_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->when_count; i++) {
        struct bound_condition c = e->when[i];
        if (!is_passed(&c.value, call, callee))
            continue;
        c.value = passed(&c.value, call);
        if (!can_hold(&c))
            return false;
        if (c.value.value.kind == VALUE_PARAM && c.value.value.with == 0)
            open[count++] = c;
    }
    e->when = open;
    e->when_count = count;
    return true;
}

/* The effect e of a callee as the call has it; NULL if it does not wait then. */
static struct effect *raised(program *p, const struct program_call *call,
                             const program_function *callee, const struct effect *e)
{
    struct effect *up = ARENA_NEW(p->mem, struct effect);
    *up = *e;
    up->call = call;
    up->next = e;
    up->depth = e->depth + 1;
    bool has_changed = false;
    for (uint32_t i = 0; i < e->arg_count; i++) {
        const struct bound_value *a = &e->args[i];
        if (!is_passed(a, call, callee))
            continue;
        if (!has_changed) {
            up->args = ARENA_ARRAY(p->mem, struct bound_value, e->arg_count + 1);
            memcpy(up->args, e->args, e->arg_count * sizeof *e->args);
            has_changed = true;
        }
        up->args[i] = passed(a, call);
    }
    up->is_doubtful = e->is_doubtful || is_doubtful(p, call, e);
    if (!decide_conditions(p, up, call, callee) || (has_changed && !may_wait(p, up, false)))
        return NULL;
    up->is_weak = up->is_weak || up->is_doubtful;
    add_conditions(p, up, call);
    return up;
}

static bool same_value(const struct bound_value *a, const struct bound_value *b)
{
    if (a->value.kind != b->value.kind || a->value.number != b->value.number ||
        a->value.with != b->value.with || a->value.otherwise != b->value.otherwise)
        return false;
    if (a->value.kind == VALUE_PARAM || a->value.kind == VALUE_RESULT ||
        a->value.kind == VALUE_CHOICE)
        return a->function == b->function;
    return a->value.text == b->value.text || (a->value.text != NULL && b->value.text != NULL &&
                                              strcmp(a->value.text, b->value.text) == 0);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_effect(const struct effect *a, const struct effect *b)
{
    if (a->kind != b->kind || a->arg_count != b->arg_count || a->is_weak != b->is_weak ||
        a->when_count != b->when_count || a->leaf->fact->wants_all != b->leaf->fact->wants_all)
        return false;
    for (uint32_t i = 0; i < a->when_count; i++) {
        if (!same_value(&a->when[i].value, &b->when[i].value) ||
            a->when[i].equal != b->when[i].equal || a->when[i].number != b->when[i].number ||
            !same_text(a->when[i].record, b->when[i].record))
            return false;
    }
    const struct fact_call *x = a->leaf->fact, *y = b->leaf->fact;
    if (x->callee == NULL || y->callee == NULL ? x->callee != y->callee
                                               : strcmp(x->callee, y->callee) != 0)
        return false;
    for (uint32_t i = 0; i < a->arg_count; i++) {
        if (!same_value(&a->args[i], &b->args[i]))
            return false;
    }
    return true;
}

static bool add_effect(program *p, program_function *f, struct effect *e)
{
    struct function_effects *effects = effects_in(p, f);
    if (e->depth > MAX_DEPTH || effects->all.count >= MAX_EFFECTS)
        return false;
    for (size_t i = 0; i < effects->all.count; i++) {
        if (same_effect(effects->all.at[i], e))
            return false;
    }
    VEC_PUSH(p->mem, &effects->all, e);
    return true;
}

/* Does an effect of `callee` concern the thread that makes the call? Another callback of the loop
 * has a finding of its own, and what the facts know by name is not looked into. */
static bool passes(const program *p, const struct program_call *call,
                   const program_function *callee)
{
    unsigned decided = STATED_NONBLOCKING | STATED_BLOCKS | STATED_NOT_IN_ASYNC;
    return call->fact->run == RUN_HERE && !call->fact->is_last && !callee->fact->is_async &&
           !callee->is_root && (callee->fact->stated & decided) == 0 && body_decides(p, call);
}

void block_effects_compute(program *p)
{
    VEC(struct effect *) queue = {0};
    VEC(program_function *) owners = {0};
    if (p->effects_done)
        return;
    p->effects_done = true;
    fd_modes_prepare(p);
    for (size_t i = 0; i < p->functions.count; i++) {
        program_function *f = p->functions.at[i];
        for (uint32_t k = 0; k < f->call_count; k++) {
            struct effect *e = leaf_effect(p, &f->calls[k]);
            if (e != NULL && add_effect(p, f, e)) {
                VEC_PUSH(p->mem, &queue, e);
                VEC_PUSH(p->mem, &owners, f);
            }
        }
    }
    for (size_t next = 0; next < queue.count; next++) {
        program_function *f = owners.at[next];
        for (size_t i = 0; i < f->callers.count; i++) {
            const struct program_call *call = f->callers.at[i];
            struct effect *up = passes(p, call, f) ? raised(p, call, f, queue.at[next]) : NULL;
            if (up != NULL && add_effect(p, call->caller, up)) {
                VEC_PUSH(p->mem, &queue, up);
                VEC_PUSH(p->mem, &owners, call->caller);
            }
        }
    }
}

/* ---- questions ------------------------------------------------------------------------------- */

static int by_strength(const void *a, const void *b)
{
    const struct effect *x = *(struct effect *const *)a, *y = *(struct effect *const *)b;
    if (x->is_weak != y->is_weak)
        return x->is_weak ? 1 : -1;
    if (x->tier != y->tier)
        return x->tier < y->tier ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    uint32_t i = x->leaf->fact->place.line, k = y->leaf->fact->place.line;
    return i < k ? -1 : i > k;
}

struct effect **block_effects_of_call(arena *mem, program *p, const struct program_call *call,
                                      uint32_t *count)
{
    VEC(struct effect *) found = {0};
    struct effect *leaf = leaf_effect(p, (struct program_call *)(uintptr_t)call);
    if (leaf != NULL && (!leaf->depends || may_wait(p, leaf, true)))
        VEC_PUSH(mem, &found, leaf);
    for (uint32_t c = 0; leaf == NULL && c < call->callee_count; c++) {
        uint32_t n;
        struct effect *const *effects = block_effects_of(call->callees[c], &n);
        for (uint32_t i = 0; passes(p, call, call->callees[c]) && i < n; i++) {
            struct effect *up = raised(p, call, call->callees[c], effects[i]);
            if (up != NULL && (!up->depends || may_wait(p, up, true)))
                VEC_PUSH(mem, &found, up);
        }
    }
    if (found.count > 1)
        qsort(found.at, found.count, sizeof *found.at, by_strength);
    *count = (uint32_t)found.count;
    return found.at;
}
