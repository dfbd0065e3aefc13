/* SPDX-License-Identifier: MIT */
/*
 * Which functions may a pointer hold? What is stored in a field or global anywhere, and what
 * callers pass for a parameter, each followed through the other until nothing is new. On the way
 * callbacks are found: what reaches a registration function, or a field that a loop calls.
 *
 *     int watch(struct loop *l, int fd, cb_fn *cb) { return event_add(event_new(l, fd, 2, cb, 0));
 * } watch(l, fd, on_client);          parameter 2 of watch is a callback: so is on_client
 */
#include "analyzer/program/program_private.h"

#include "analyzer/program/guards.h"

enum { MAX_ROUNDS = 8 };

static void add_all(program *p, struct function_list *to, const struct function_list *from,
                    bool *changed)
{
    for (size_t i = 0; i < from->all.count; i++)
        function_list_add(p->mem, to, from->all.at[i], changed);
}

/* Adds the functions that a value of function f may be. */
static void add_targets(program *p, program_function *f, const struct unit_facts *unit,
                        const struct value *v, struct function_list *to, bool *changed)
{
    if (v->kind == VALUE_FUNCTION) {
        program_function *target = program_find(p, unit, v->text);
        if (target != NULL)
            function_list_add(p->mem, to, target, changed);
    } else if (v->kind == VALUE_PARAM && f != NULL && v->number < f->fact->param_count) {
        add_all(p, to, &program_extra(p, f)->params[v->number].targets, changed);
    } else if (v->kind == VALUE_KEY) {
        const struct key_info *info = program_key(p, v->text, false);
        if (info != NULL)
            add_all(p, to, &info->targets, changed);
    }
}

static const struct unit_facts *unit_of_static(program *p, const struct value *value)
{
    for (uint32_t i = 0; i < p->unit_count; i++) {
        const struct unit_facts *u = p->units[i];
        if (u->stores.count != 0 && (const char *)value >= (const char *)u->stores.at &&
            (const char *)value < (const char *)(u->stores.at + u->stores.count))
            return u;
    }
    return NULL;
}

static void flow_stores(program *p, bool *changed)
{
    for (size_t i = 0; i < p->key_infos.count; i++) {
        struct key_info *info = p->key_infos.at[i];
        for (size_t k = 0; k < info->stores.count; k++) {
            const struct stored *s = &info->stores.at[k];
            const struct unit_facts *unit =
                s->function != NULL ? s->function->unit : unit_of_static(p, s->value);
            add_targets(p, s->function, unit, s->value, &info->targets, changed);
        }
    }
}

/* ---- callees --------------------------------------------------------------------------------- */

static void set_callees(program *p, struct program_call *call, bool *changed)
{
    const struct fact_call *fact = call->fact;
    struct function_list found = {.all = {0}};
    bool any;
    for (uint32_t i = 0; i < call->callee_count; i++)
        function_list_add(p->mem, &found, call->callees[i], &any);
    if (fact->callee_kind == CALLEE_NAME) {
        program_function *f = program_find(p, call->caller->unit, fact->callee);
        if (f != NULL)
            function_list_add(p->mem, &found, f, &any);
    } else if (fact->callee_kind == CALLEE_KEY) {
        const struct key_info *info = program_key(p, fact->callee, false);
        if (info != NULL)
            add_all(p, &found, &info->targets, &any);
    } else if (fact->callee_kind == CALLEE_PARAM &&
               fact->callee_param < call->caller->fact->param_count) {
        add_all(p, &found, &program_extra(p, call->caller)->params[fact->callee_param].targets,
                &any);
    }
    if (found.all.count == call->callee_count)
        return;
    call->callees = found.all.at;
    call->callee_count = (uint32_t)found.all.count;
    *changed = true;
}

static void flow_arguments(program *p, const struct program_call *call, bool *changed)
{
    for (uint32_t c = 0; c < call->callee_count; c++) {
        struct function_extra *extra = program_extra(p, call->callees[c]);
        for (size_t i = 0; i < call->fact->args.count; i++) {
            if (i < call->callees[c]->fact->param_count)
                add_targets(p, call->caller, call->caller->unit, &call->fact->args.at[i],
                            &extra->params[i].targets, changed);
        }
    }
}

/* ---- callbacks ------------------------------------------------------------------------------- */

static size_t argument_of(const struct fact_call *call, int argument)
{
    return argument == GUARD_LAST ? call->args.count - 1 : (size_t)argument;
}

/* The function becomes a callback of this row; the descriptor that it receives is the one of the
 * registration. */
static void make_callback(program *p, program_function *f, const struct known_callback *row,
                          const struct program_call *at, bool *changed)
{
    struct function_extra *extra = program_extra(p, f);
    bool is_new = extra->callback == NULL ||
                  (extra->callback->kind != CALLBACK_LOOP && row->kind == CALLBACK_LOOP);
    if (is_new) {
        extra->callback = row;
        extra->registered = at;
        *changed = true;
    }
    extra->is_loop_callback |= row->kind == CALLBACK_LOOP;
    bool hands_over = at != NULL && row->received.kind == PLACE_ARG && row->received.arg >= 0 &&
                      (uint32_t)row->received.arg < f->fact->param_count;
    if (!hands_over)
        return;
    struct param_info *param = &extra->params[row->received.arg];
    param->is_watched = true;
    size_t watched = row->watched.kind == PLACE_ARG ? argument_of(at->fact, row->watched.arg)
                                                    : at->fact->args.count;
    for (size_t i = 0; i < param->watched.count; i++) {
        if (watched >= at->fact->args.count ||
            param->watched.at[i].value == &at->fact->args.at[watched])
            return;
    }
    if (watched < at->fact->args.count)
        VEC_PUSH(p->mem, &param->watched, (struct stored){at->caller, &at->fact->args.at[watched]});
}

static void mark_param(struct param_info *param, const struct known_callback *row, bool *changed)
{
    if (param->callback == NULL) {
        param->callback = row;
        *changed = true;
    }
}

/* A value is registered as a callback. */
static void register_value(program *p, const struct program_call *call, const struct value *v,
                           const struct known_callback *row, bool *changed)
{
    struct function_list found = {.all = {0}};
    bool any;
    add_targets(p, call->caller, call->caller->unit, v, &found, &any);
    for (size_t i = 0; i < found.all.count; i++)
        make_callback(p, found.all.at[i], row, call, changed);
    if (v->kind == VALUE_PARAM && v->number < call->caller->fact->param_count)
        mark_param(&program_extra(p, call->caller)->params[v->number], row, changed);
}

static void inline_callback(program *p, struct program_call *call, const struct value *v,
                            bool *changed)
{
    struct function_list found = {.all = {0}};
    bool any;
    for (uint32_t i = 0; i < call->callee_count; i++)
        function_list_add(p->mem, &found, call->callees[i], &any);
    add_targets(p, call->caller, call->caller->unit, v, &found, &any);
    if (found.all.count == call->callee_count)
        return;
    call->callees = found.all.at;
    call->callee_count = (uint32_t)found.all.count;
    *changed = true;
}

static void flow_known(program *p, struct program_call *call, bool *changed)
{
    const struct fact_call *fact = call->fact;
    size_t count = 0;
    const struct known_callback *rows =
        fact->callee_kind == CALLEE_NAME
            ? known_callbacks_of_function(p->settings->known, sv_from(fact->callee), &count)
            : NULL;
    for (size_t i = 0; i < count; i++) {
        size_t argument = argument_of(fact, rows[i].argument);
        if (argument >= fact->args.count)
            continue;
        if (rows[i].when.count != 0 && guard_holds(p, call, &rows[i].when) == GUARD_FAILS)
            continue;
        const struct value *v = &fact->args.at[argument];
        if (rows[i].kind == CALLBACK_INLINE)
            inline_callback(p, call, v, changed);
        else
            register_value(p, call, v, &rows[i], changed);
    }
    for (uint32_t c = 0; c < call->callee_count; c++) {
        struct function_extra *extra = program_extra(p, call->callees[c]);
        for (size_t i = 0; i < fact->args.count && i < call->callees[c]->fact->param_count; i++) {
            if (extra->params[i].callback != NULL)
                register_value(p, call, &fact->args.at[i], extra->params[i].callback, changed);
        }
    }
}

static void flow_fields(program *p, bool *changed)
{
    for (size_t i = 0; i < p->key_infos.count; i++) {
        struct key_info *info = p->key_infos.at[i];
        const char *dot = strchr(info->key, '.');
        if (dot == NULL || info->targets.all.count == 0 || strchr(info->key, ':') != NULL)
            continue;
        strview record = {info->key, (size_t)(dot - info->key)};
        if (sv_is(record, "?"))
            record.len = 0;
        const struct known_callback *row =
            known_callback_of_field(p->settings->known, record, sv_from(dot + 1));
        for (size_t k = 0; row != NULL && k < info->targets.all.count; k++)
            make_callback(p, info->targets.all.at[k], row, NULL, changed);
    }
}

void program_resolve_pointers(program *p)
{
    bool changed = true;
    for (unsigned round = 0; changed && round < MAX_ROUNDS; round++) {
        changed = false;
        flow_stores(p, &changed);
        for (size_t i = 0; i < p->functions.count; i++) {
            program_function *f = p->functions.at[i];
            for (uint32_t k = 0; k < f->call_count; k++) {
                set_callees(p, &f->calls[k], &changed);
                flow_arguments(p, &f->calls[k], &changed);
                flow_known(p, &f->calls[k], &changed);
            }
        }
        flow_fields(p, &changed);
    }
}
