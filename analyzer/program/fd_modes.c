/* SPDX-License-Identifier: MIT */
/*
 * Sources of a mode are counted: one that switches to non-blocking decides, since a program that
 * switches a field's descriptor anywhere means all of them; else what makes the descriptors must
 * agree. A parameter's mode is that of all callers' arguments together, asked for with a mark
 * against going round in circles.
 */
#include "analyzer/program/fd_modes.h"

#include <string.h>

#include "analyzer/program/program_private.h"

/* ---- what one call says ---------------------------------------------------------------------- */

static enum fd_mode made_mode(program *p, const struct program_call *call,
                              const struct known_descriptor *row)
{
    if (row->always_nonblocking)
        return FD_NONBLOCKING;
    if (!descriptor_kind_has_mode(row->kind) && row->kind != DESCRIPTOR_ANY) {
        bool is_quick =
            row->nonblocking.count != 0 && guard_holds(p, call, &row->nonblocking) == GUARD_HOLDS;
        return is_quick || row->kind == DESCRIPTOR_MEMORY ? FD_NONBLOCKING : FD_FILE;
    }
    if (row->nonblocking.count == 0)
        return row->kind == DESCRIPTOR_ANY ? FD_UNKNOWN : FD_BLOCKING;
    enum guard_answer answer = guard_holds(p, call, &row->nonblocking);
    if (answer == GUARD_HOLDS)
        return FD_NONBLOCKING;
    return answer == GUARD_FAILS ? FD_BLOCKING : FD_UNKNOWN;
}

static bool switches(program *p, const struct program_call *call,
                     const struct known_descriptor *row)
{
    if (row->role != DESCRIPTOR_SET)
        return false;
    return row->always_nonblocking || guard_holds(p, call, &row->nonblocking) != GUARD_FAILS;
}

static const struct known_descriptor *rows_of(const program *p, const struct program_call *call,
                                              size_t *count)
{
    *count = 0;
    if (call->fact->callee_kind != CALLEE_NAME || call->callee_count != 0)
        return NULL;
    return known_descriptors_of(p->settings->known, sv_from(call->fact->callee), count);
}

/* ---- switches -------------------------------------------------------------------------------- */

static void switch_value(program *p, program_function *f, const struct value *v, bool *changed)
{
    const char *key = v->key != NULL ? v->key : v->kind == VALUE_KEY ? v->text : NULL;
    if (key != NULL) {
        struct key_info *info = program_key(p, key, true);
        *changed |= !info->set_nonblocking;
        info->set_nonblocking = true;
    }
    if (v->kind == VALUE_KEY && v->text != NULL && v->text != key) {
        struct key_info *info = program_key(p, v->text, true);
        *changed |= !info->set_nonblocking;
        info->set_nonblocking = true;
    }
    if (v->kind == VALUE_PARAM && v->number < f->fact->param_count) {
        struct param_info *param = &program_extra(p, f)->params[v->number];
        *changed |= !param->set_nonblocking;
        param->set_nonblocking = true;
    }
}

static void switch_call(program *p, struct program_call *call, bool *changed)
{
    size_t count;
    const struct known_descriptor *rows = rows_of(p, call, &count);
    for (size_t i = 0; i < count; i++) {
        bool has_arg = rows[i].where.kind >= PLACE_ARG && rows[i].where.kind <= PLACE_ELEMENTS &&
                       rows[i].where.arg >= 0 && (size_t)rows[i].where.arg < call->fact->args.count;
        if (has_arg && switches(p, call, &rows[i]))
            switch_value(p, call->caller, &call->fact->args.at[rows[i].where.arg], changed);
    }
    for (uint32_t c = 0; c < call->callee_count; c++) {
        const program_function *callee = call->callees[c];
        for (size_t i = 0; i < call->fact->args.count && i < callee->fact->param_count; i++) {
            if (program_extra(p, callee)->params[i].set_nonblocking)
                switch_value(p, call->caller, &call->fact->args.at[i], changed);
        }
    }
}

/* ---- makers that fill in --------------------------------------------------------------------- */

/* The descriptors that a call of pipe() or socketpair() puts in the thing of the value. */
static void note_made(program *p, program_function *f, const struct value *v, struct made made,
                      bool *changed)
{
    if ((v->kind == VALUE_KEY || v->kind == VALUE_ADDRESS) && v->text != NULL) {
        struct key_info *info = program_key(p, v->text, true);
        for (size_t i = 0; i < info->made.count; i++) {
            if (info->made.at[i].call == made.call && info->made.at[i].row == made.row)
                return;
        }
        VEC_PUSH(p->mem, &info->made, made);
        *changed = true;
    } else if (v->kind == VALUE_PARAM && v->number < f->fact->param_count) {
        struct param_info *param = &program_extra(p, f)->params[v->number];
        *changed |= param->made.call == NULL;
        param->made = param->made.call == NULL ? made : param->made;
    }
}

static void make_call(program *p, struct program_call *call, bool *changed)
{
    size_t count;
    const struct known_descriptor *rows = rows_of(p, call, &count);
    for (size_t i = 0; i < count; i++) {
        const struct known_place *where = &rows[i].where;
        bool fills_in = rows[i].role == DESCRIPTOR_MAKE &&
                        (where->kind == PLACE_POINTEE || where->kind == PLACE_ELEMENTS) &&
                        where->arg >= 0 && (size_t)where->arg < call->fact->args.count;
        if (fills_in)
            note_made(p, call->caller, &call->fact->args.at[where->arg],
                      (struct made){call, &rows[i]}, changed);
    }
    for (uint32_t c = 0; c < call->callee_count; c++) {
        const program_function *callee = call->callees[c];
        for (size_t i = 0; i < call->fact->args.count && i < callee->fact->param_count; i++) {
            const struct param_info *param = &program_extra(p, callee)->params[i];
            if (param->made.call != NULL)
                note_made(p, call->caller, &call->fact->args.at[i], param->made, changed);
        }
    }
}

void fd_modes_prepare(program *p)
{
    bool changed = true;
    for (unsigned round = 0; changed && round < 8; round++) {
        changed = false;
        for (size_t i = 0; i < p->functions.count; i++) {
            for (uint32_t k = 0; k < p->functions.at[i]->call_count; k++) {
                switch_call(p, &p->functions.at[i]->calls[k], &changed);
                make_call(p, &p->functions.at[i]->calls[k], &changed);
            }
        }
    }
}

/* ---- many sources ---------------------------------------------------------------------------- */

struct votes {
    unsigned nonblocking, watched, blocking, file, unknown;
};

static void vote(struct votes *v, enum fd_mode mode)
{
    v->nonblocking += mode == FD_NONBLOCKING;
    v->watched += mode == FD_WATCHED;
    v->blocking += mode == FD_BLOCKING;
    v->file += mode == FD_FILE;
    v->unknown += mode == FD_UNKNOWN || mode == FD_OF_CALLER;
}

static enum fd_mode decide(const struct votes *v)
{
    if (v->nonblocking != 0)
        return FD_NONBLOCKING;
    if (v->watched != 0)
        return FD_WATCHED;
    if (v->unknown != 0)
        return FD_UNKNOWN;
    if (v->blocking != 0)
        return FD_BLOCKING;
    return v->file != 0 ? FD_FILE : FD_UNKNOWN;
}

static enum fd_mode mode_of_key(program *p, const char *key)
{
    struct key_info *info = program_key(p, key, false);
    if (info == NULL || info->is_busy)
        return FD_UNKNOWN;
    if (info->set_nonblocking)
        return FD_NONBLOCKING;
    if (info->mode_known)
        return (enum fd_mode)info->mode;
    struct votes v = {0};
    info->is_busy = true;
    for (size_t i = 0; i < info->made.count; i++)
        vote(&v, made_mode(p, info->made.at[i].call, info->made.at[i].row));
    for (size_t i = 0; i < info->stores.count; i++) {
        const struct value *value = info->stores.at[i].value;
        if (value->kind != VALUE_NUMBER) /* -1: no descriptor yet */
            vote(&v, fd_mode_of(p, &(struct bound_value){info->stores.at[i].function, *value}));
    }
    info->is_busy = false;
    info->mode_known = true;
    info->mode = (uint8_t)decide(&v);
    return (enum fd_mode)info->mode;
}

/* Of a descriptor that a loop watches. An eventfd, timerfd or signalfd has one reader mostly: what
 * the loop saw in it is there. */
static enum fd_mode watched_mode(program *p, const struct bound_value *v)
{
    enum fd_mode mode = fd_mode_of(p, v);
    if (mode == FD_BLOCKING && fd_kind_of(p, v) == DESCRIPTOR_EVENT)
        return FD_WATCHED;
    return mode == FD_BLOCKING || mode == FD_NONBLOCKING ? mode : FD_WATCHED;
}

static enum fd_mode mode_of_param(program *p, program_function *f, int64_t number)
{
    if (f == NULL || number >= f->fact->param_count)
        return FD_UNKNOWN;
    struct param_info *param = &program_extra(p, f)->params[number];
    if (param->set_nonblocking)
        return FD_NONBLOCKING;
    if (param->is_busy)
        return FD_UNKNOWN;
    if (param->mode_known)
        return (enum fd_mode)param->mode;
    struct votes v = {0};
    param->is_busy = true;
    for (size_t i = 0; i < param->watched.count; i++) {
        const struct stored *s = &param->watched.at[i];
        vote(&v, watched_mode(p, &(struct bound_value){s->function, *s->value}));
    }
    if (param->is_watched && param->watched.count == 0)
        v.watched++;
    for (size_t i = 0; i < f->callers.count; i++) {
        const struct fact_call *call = f->callers.at[i]->fact;
        if ((size_t)number < call->args.count)
            vote(&v, fd_mode_of(p, &(struct bound_value){f->callers.at[i]->caller,
                                                         call->args.at[number]}));
    }
    param->is_busy = false;
    param->mode_known = true;
    param->mode = (uint8_t)decide(&v);
    return (enum fd_mode)param->mode;
}

static enum fd_mode mode_of_returns(program *p, program_function *f)
{
    struct function_extra *extra = program_extra(p, f);
    if (extra->return_busy)
        return FD_UNKNOWN;
    if (extra->return_known)
        return (enum fd_mode)extra->return_mode;
    struct votes v = {0};
    extra->return_busy = true;
    for (size_t i = 0; i < f->fact->returns.count; i++) {
        const struct value *value = &f->fact->returns.at[i];
        if (value->kind != VALUE_NUMBER)
            vote(&v, fd_mode_of(p, &(struct bound_value){f, *value}));
    }
    extra->return_busy = false;
    extra->return_known = true;
    extra->return_mode = (uint8_t)decide(&v);
    return (enum fd_mode)extra->return_mode;
}

/* The descriptor that the call's result is another name of; NULL. */
static const struct value *copied_from(const program *p, const struct program_call *call)
{
    size_t count;
    const struct known_descriptor *rows = rows_of(p, call, &count);
    for (size_t i = 0; i < count; i++) {
        bool copies = rows[i].role == DESCRIPTOR_COPY && rows[i].where.kind == PLACE_RESULT &&
                      rows[i].from.kind == PLACE_ARG && rows[i].from.arg >= 0 &&
                      (size_t)rows[i].from.arg < call->fact->args.count;
        if (copies)
            return &call->fact->args.at[rows[i].from.arg];
    }
    return NULL;
}

static enum fd_mode mode_of_result(program *p, program_function *f, int64_t number)
{
    if (f == NULL || number >= f->call_count)
        return FD_UNKNOWN;
    struct program_call *call = &f->calls[number];
    if (call->callee_count == 1)
        return mode_of_returns(p, call->callees[0]);
    size_t count;
    const struct known_descriptor *rows = rows_of(p, call, &count);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].where.kind != PLACE_RESULT)
            continue;
        if (rows[i].role == DESCRIPTOR_MAKE)
            return made_mode(p, call, &rows[i]);
    }
    const struct value *from = copied_from(p, call);
    return from == NULL ? FD_UNKNOWN : fd_mode_of(p, &(struct bound_value){f, *from});
}

enum fd_mode fd_mode_of(program *p, const struct bound_value *v)
{
    if (v->value.key != NULL) {
        const struct key_info *info = program_key(p, v->value.key, false);
        if (info != NULL && info->set_nonblocking)
            return FD_NONBLOCKING;
    }
    switch (v->value.kind) {
    case VALUE_KEY:
        return mode_of_key(p, v->value.text);
    case VALUE_PARAM:
        return mode_of_param(p, v->function, v->value.number);
    case VALUE_RESULT:
        return mode_of_result(p, v->function, v->value.number);
    case VALUE_NUMBER: /* standard input and output */
    case VALUE_UNKNOWN:
    case VALUE_STRING:
    case VALUE_ADDRESS:
    case VALUE_FUNCTION:
    case VALUE_ZEROS:
    case VALUE_FLAGS:
    case VALUE_CHOICE:
        break;
    }
    return FD_UNKNOWN;
}

enum fd_mode fd_mode_here(program *p, const struct bound_value *v)
{
    bool is_passed = v->value.kind == VALUE_PARAM && v->function != NULL && !v->function->is_root &&
                     v->function->callers.count != 0 &&
                     v->value.number < v->function->fact->param_count;
    if (!is_passed)
        return fd_mode_of(p, v);
    const struct param_info *param = &program_extra(p, v->function)->params[v->value.number];
    return param->set_nonblocking ? FD_NONBLOCKING : FD_OF_CALLER;
}

const struct program_call *fd_maker(program *p, const struct bound_value *v)
{
    struct bound_value at = *v;
    enum { MAX_STEPS = 8 };
    for (unsigned step = 0; step < MAX_STEPS; step++) {
        if (at.value.kind == VALUE_RESULT && at.function != NULL &&
            at.value.number < at.function->call_count) {
            const struct program_call *call = &at.function->calls[at.value.number];
            const struct value *from = copied_from(p, call);
            if (from != NULL) {
                at = (struct bound_value){at.function, *from};
                continue;
            }
            if (call->callee_count != 1)
                return call;
            const struct fact_function *made = call->callees[0]->fact;
            const struct value *returned = NULL;
            for (size_t i = 0; i < made->returns.count; i++) {
                if (made->returns.at[i].kind != VALUE_NUMBER)
                    returned = &made->returns.at[i];
            }
            if (returned == NULL)
                return call;
            at = (struct bound_value){call->callees[0], *returned};
        } else if (at.value.kind == VALUE_KEY) {
            const struct key_info *info = program_key(p, at.value.text, false);
            const struct stored *stored = NULL;
            if (info != NULL && info->made.count != 0)
                return info->made.at[0].call;
            for (size_t i = 0; info != NULL && i < info->stores.count; i++) {
                if (info->stores.at[i].value->kind != VALUE_NUMBER)
                    stored = &info->stores.at[i];
            }
            if (stored == NULL)
                return NULL;
            at = (struct bound_value){stored->function, *stored->value};
        } else if (at.value.kind == VALUE_PARAM && at.function != NULL &&
                   at.function->callers.count == 1 &&
                   (size_t)at.value.number < at.function->callers.at[0]->fact->args.count) {
            const struct program_call *call = at.function->callers.at[0];
            at = (struct bound_value){call->caller, call->fact->args.at[at.value.number]};
        } else {
            return NULL;
        }
    }
    return NULL;
}

enum descriptor_kind fd_kind_of(program *p, const struct bound_value *v)
{
    const struct program_call *made = fd_maker(p, v);
    size_t count = 0;
    const struct known_descriptor *rows = made == NULL ? NULL : rows_of(p, made, &count);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].role == DESCRIPTOR_MAKE)
            return rows[i].kind;
    }
    return DESCRIPTOR_ANY;
}

bool fd_is_datagram(program *p, const struct bound_value *v)
{
    enum { DATAGRAM = 2, TYPE_MASK = 15 };
    const struct program_call *made = fd_maker(p, v);
    const struct fact_call *call = made == NULL ? NULL : made->fact;
    return call != NULL && call->callee_kind == CALLEE_NAME &&
           strcmp(call->callee, "socket") == 0 && call->args.count > 1 &&
           call->args.at[1].kind == VALUE_NUMBER &&
           (call->args.at[1].number & TYPE_MASK) == DATAGRAM;
}
