/* SPDX-License-Identifier: MIT */
/*
 * awaitc-blocking-descriptor: a descriptor registered with a loop but still in blocking mode. The
 * loop says "readable" and the callback reads; a spurious wake-up, or a second read, then stops the
 * loop. It stands at the registration, and is silent where blocking-call reports a call on that
 * descriptor.
 */
#include <string.h>

#include "analyzer/program/fd_modes.h"
#include "analyzer/program/known_callbacks.h"
#include "analyzer/program/known_descriptors.h"
#include "rules/effect_chain.h"
#include "rules/rule.h"

static size_t place_argument(const struct known_place *place, const struct fact_call *call)
{
    if (place->kind != PLACE_ARG)
        return call->args.count;
    return place->arg == GUARD_LAST ? call->args.count - 1 : (size_t)place->arg;
}

/* The argument that is a descriptor which the call hands to a loop; the number of arguments: none.
 */
static size_t watched_argument(program *p, const struct program_call *call)
{
    const known_facts *known = program_settings(p)->known;
    size_t count;
    if (call->fact->callee_kind != CALLEE_NAME || call->callee_count != 0)
        return call->fact->args.count;
    const struct known_callback *rows =
        known_callbacks_of_function(known, sv_from(call->fact->callee), &count);
    for (size_t i = 0; i < count; i++) {
        size_t arg = place_argument(&rows[i].watched, call->fact);
        bool is_other =
            rows[i].when.count != 0 && guard_holds(p, call, &rows[i].when) == GUARD_FAILS;
        if (rows[i].kind == CALLBACK_LOOP && arg < call->fact->args.count && !is_other)
            return arg;
    }
    return call->fact->args.count;
}

/* Does the function wait for a descriptor, so that blocking-call reports it? */
static bool waits_for_descriptor(program *p, const program_function *f)
{
    uint32_t n;
    for (uint32_t k = 0; f != NULL && k < f->call_count; k++) {
        struct effect **all = block_effects_of_call(program_arena(p), p, &f->calls[k], &n);
        for (uint32_t e = 0; e < n; e++) {
            bool is_io = all[e]->known != NULL &&
                         (all[e]->known->reasons & (REASON_IO_ANY | REASON_IO_NETWORK)) != 0;
            if (!all[e]->is_weak && is_io)
                return true;
        }
    }
    return false;
}

/* Does blocking-call report a call on a descriptor in a callback of this registration? */
static bool is_reported(program *p, const struct program_call *registration)
{
    for (size_t i = 0; i < registration->fact->args.count; i++) {
        const struct value *v = &registration->fact->args.at[i];
        if (v->kind == VALUE_FUNCTION &&
            waits_for_descriptor(p, program_find(p, registration->caller->unit, v->text)))
            return true;
    }
    return false;
}

static const char words[] =
    "this descriptor is watched by the loop but in blocking mode: a read or write that is not "
    "ready after all stops the loop; make it non-blocking first";

/* A signalfd, timerfd, eventfd or inotify descriptor that is ready stays ready until it is read:
 * its callback's one read does not wait. One that reads on is blocking-call's. */
static bool can_wait(program *p, const struct bound_value *v)
{
    return fd_mode_of(p, v) == FD_BLOCKING && fd_kind_of(p, v) != DESCRIPTOR_EVENT;
}

static void note_maker(program *p, struct finding *f, const struct bound_value *v)
{
    const struct program_call *made = fd_maker(p, v);
    if (made == NULL)
        return;
    VEC_PUSH(program_arena(p), &f->steps,
             (struct finding_step){.place = made->fact->place,
                                   .function = made->caller->fact->name,
                                   .text = arena_printf(program_arena(p),
                                                        "'%s' makes it here, in blocking mode",
                                                        made->fact->callee)});
}

static void check_call(program *p, const struct rule *rule, const struct program_call *call)
{
    size_t arg = watched_argument(p, call);
    if (arg >= call->fact->args.count)
        return;
    struct bound_value v = {call->caller, call->fact->args.at[arg]};
    if (!can_wait(p, &v) || is_reported(p, call))
        return;
    struct finding *f = program_report(p, rule->id, rule->severity, call, "%s", words);
    f->leaf = call->fact->callee;
    note_maker(p, f, &v);
}

/* ---- watchers that are filled in, not registered ----------------------------------------------
 */

/* Is it the key of the descriptor in a watcher: "ev_io.fd", where ev_io.cb is a callback? */
static const struct known_callback *watcher_of(const program *p, const char *key)
{
    size_t count;
    const struct known_callback *rows = known_callbacks_all(program_settings(p)->known, &count);
    for (size_t i = 0; i < count; i++) {
        const struct known_callback *r = &rows[i];
        size_t len = r->record.len;
        bool is_it = r->kind == CALLBACK_LOOP && r->watched.kind == PLACE_SIBLING &&
                     strncmp(key, r->record.at, len) == 0 && key[len] == '.' &&
                     sv_is(r->watched.field, key + len + 1);
        if (is_it)
            return r;
    }
    return NULL;
}

/* Does blocking-call report a call on a descriptor in the callback that the same function puts in
 * such a watcher? */
static bool is_store_reported(program *p, const struct unit_facts *unit,
                              const struct known_callback *row, uint32_t function)
{
    const char *key =
        arena_printf(program_arena(p), "%.*s.%.*s", SV_ARG(row->record), SV_ARG(row->field));
    for (size_t i = 0; i < unit->stores.count; i++) {
        const struct fact_store *s = &unit->stores.at[i];
        if (s->function == function && s->value.kind == VALUE_FUNCTION &&
            strcmp(s->key, key) == 0 &&
            waits_for_descriptor(p, program_find(p, unit, s->value.text)))
            return true;
    }
    return false;
}

/* `w.fd = fd` of a watcher, also as a macro has it. */
static void check_store(program *p, const struct rule *rule, const struct unit_facts *unit,
                        const struct fact_store *s)
{
    const struct known_callback *row = s->function == UINT32_MAX ? NULL : watcher_of(p, s->key);
    const char *name = row == NULL ? NULL : unit->functions.at[s->function].name;
    struct bound_value v = {name == NULL ? NULL : program_find(p, unit, name), s->value};
    if (v.function == NULL || !can_wait(p, &v) || is_store_reported(p, unit, row, s->function))
        return;
    struct finding *f = program_report_at(p, rule->id, rule->severity, &s->place, name, words);
    f->leaf = s->key;
    note_maker(p, f, &v);
}

static void check_stores(program *p, const struct rule *rule)
{
    uint32_t count;
    struct unit_facts *const *units = program_units(p, &count);
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < units[i]->stores.count; k++)
            check_store(p, rule, units[i], &units[i]->stores.at[k]);
    }
}

static void on_program(program *p, const struct rule *rule)
{
    uint32_t count;
    program_function **functions = program_functions(p, &count);
    block_effects_compute(p);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < functions[i]->call_count; k++)
            check_call(p, rule, &functions[i]->calls[k]);
    }
    check_stores(p, rule);
}

const struct rule_calls rule_blocking_descriptor = {.on_program = on_program};
