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

/* Does blocking-call report a call on a descriptor in a callback of this registration? */
static bool is_reported(program *p, const struct program_call *registration)
{
    uint32_t n;
    for (size_t i = 0; i < registration->fact->args.count; i++) {
        const struct value *v = &registration->fact->args.at[i];
        const program_function *f =
            v->kind == VALUE_FUNCTION ? program_find(p, registration->caller->unit, v->text) : NULL;
        for (uint32_t k = 0; f != NULL && k < f->call_count; k++) {
            struct effect **all = block_effects_of_call(program_arena(p), p, &f->calls[k], &n);
            for (uint32_t e = 0; e < n; e++) {
                bool is_io = all[e]->known != NULL &&
                             (all[e]->known->reasons & (REASON_IO_ANY | REASON_IO_NETWORK)) != 0;
                if (!all[e]->is_weak && is_io)
                    return true;
            }
        }
    }
    return false;
}

static void check_call(program *p, const struct rule *rule, const struct program_call *call)
{
    size_t arg = watched_argument(p, call);
    if (arg >= call->fact->args.count)
        return;
    struct bound_value v = {call->caller, call->fact->args.at[arg]};
    if (fd_mode_of(p, &v) != FD_BLOCKING || is_reported(p, call))
        return;
    const struct program_call *made = fd_maker(p, &v);
    struct finding *f = program_report(
        p, rule->id, rule->severity, call,
        "this descriptor is watched by the loop but in blocking mode: a read or write that is not "
        "ready after all stops the loop; make it non-blocking first");
    f->leaf = call->fact->callee;
    if (made != NULL)
        VEC_PUSH(program_arena(p), &f->steps,
                 (struct finding_step){.place = made->fact->place,
                                       .function = made->caller->fact->name,
                                       .text = arena_printf(program_arena(p),
                                                            "'%s' makes it here, in blocking mode",
                                                            made->fact->callee)});
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
}

const struct rule_calls rule_blocking_descriptor = {.on_program = on_program};
