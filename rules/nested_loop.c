/* SPDX-License-Identifier: MIT */
/*
 * awaitc-nested-loop: an event loop run again, or async work driven to its end, from a callback or
 * an async function. The loop below runs callbacks that the one above does not expect, and what
 * waits above it waits until the inner one ends.
 */
#include "rules/effect_chain.h"
#include "rules/rule.h"

/* Is a loop of another library turned once, without a wait? So one loop is embedded in another;
 * callbacks of the own loop do not come again. */
static bool is_embedded(program *p, const program_function *root, const struct effect *e)
{
    return e->loop != NULL && e->loop->quick.count != 0 && root->root_library.len != 0 &&
           e->loop->library.len != 0 && !sv_equal(root->root_library, e->loop->library) &&
           guard_holds_at_last(p, e->leaf, &e->loop->quick, e->args, e->arg_count) == GUARD_HOLDS;
}

static void report(program *p, const struct rule *rule, const struct program_call *call,
                   const struct effect *e)
{
    const program_function *root = call->caller;
    const char *words = effect_leaf_words(program_arena(p), e);
    struct finding *f;
    if (e->next == NULL)
        f = program_report(p, rule->id, rule->severity, call,
                           "'%s' %s inside %s '%s': callbacks run in the middle of this one, and "
                           "what waits above it is held up; return to the loop, or await",
                           effect_leaf_name(e), words, root->root_words, root->fact->name);
    else
        f = program_report(p, rule->id, rule->severity, call,
                           "'%s' ends in '%s', which %s, inside %s '%s': callbacks run in the "
                           "middle of this one; return to the loop, or await",
                           e->next->call->caller->fact->name, effect_leaf_name(e), words,
                           root->root_words, root->fact->name);
    effect_chain_notes(p, f, e);
}

static void on_program(program *p, const struct rule *rule)
{
    uint32_t count;
    program_function **functions = program_functions(p, &count);
    block_effects_compute(p);
    for (uint32_t i = 0; i < count; i++) {
        const program_function *root = functions[i];
        for (uint32_t k = 0; root->is_root && k < root->call_count; k++) {
            uint32_t n, first = 0;
            struct effect **all = block_effects_of_call(program_arena(p), p, &root->calls[k], &n);
            while (first < n &&
                   (all[first]->kind != EFFECT_LOOP || is_embedded(p, root, all[first])))
                first++;
            if (first < n)
                report(p, rule, &root->calls[k], all[first]);
        }
    }
}

const struct rule_calls rule_nested_loop = {.on_program = on_program};
