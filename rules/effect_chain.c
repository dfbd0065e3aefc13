/* SPDX-License-Identifier: MIT */
/*
 * The words of effect_chain.h.
 */
#include "rules/effect_chain.h"

#include "analyzer/sema/sema.h"

const char *effect_leaf_name(const struct effect *e)
{
    return e->leaf->fact->callee != NULL ? e->leaf->fact->callee : "the function called";
}

const char *effect_leaf_words(arena *mem, const struct effect *e)
{
    if (e->loop != NULL)
        return e->loop->kind == LOOP_DRIVE ? "waits until async work is done"
                                           : "runs an event loop";
    if (e->kind == EFFECT_LOOP && e->known == NULL)
        return "is driven to its end by aw_block_on";
    if (e->known != NULL)
        return known_blocking_phrase(e->known);
    for (uint32_t i = 0; i < e->leaf->callee_count; i++) {
        if ((e->leaf->callees[i]->fact->stated & STATED_BLOCKS) != 0)
            return "is declared to block";
    }
    return arena_printf(mem, "is declared not to be called in async code");
}

const char *effect_victim(const program_function *root)
{
    return root->fact->is_async ? "the worker and every task on it" : "the event loop";
}

static const char *called_name(const struct program_call *call)
{
    return call->fact->callee_kind == CALLEE_NAME ? call->fact->callee : NULL;
}

void effect_chain_notes(program *p, struct finding *f, const struct effect *e)
{
    arena *mem = program_arena(p);
    f->leaf = effect_leaf_name(e);
    for (const struct effect *at = e->next; at != NULL; at = at->next) {
        const char *text;
        if (at->next == NULL) {
            text = arena_printf(mem, "'%s' calls '%s', which %s", at->call->caller->fact->name,
                                effect_leaf_name(at), effect_leaf_words(mem, at));
        } else if (called_name(at->call) != NULL) {
            text = arena_printf(mem, "'%s' calls '%s'", at->call->caller->fact->name,
                                called_name(at->call));
        } else {
            text =
                arena_printf(mem, "'%s' calls '%s' through '%s'", at->call->caller->fact->name,
                             at->next->call->caller->fact->name,
                             at->call->fact->callee != NULL ? at->call->fact->callee : "a pointer");
        }
        VEC_PUSH(mem, &f->steps,
                 (struct finding_step){.place = at->call->fact->place,
                                       .function = at->call->caller->fact->name,
                                       .text = text});
    }
}
