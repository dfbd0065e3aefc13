/* SPDX-License-Identifier: MIT */
/*
 * awaitc-blocking-under-lock: a call that may block while a thread lock is held which a loop or a
 * task also takes: those then wait for the call, too. It stands at the call, in whatever function
 * it is. A condition's wait gives its own lock back and is none.
 */
#include <string.h>

#include "analyzer/base/word_set.h"
#include "analyzer/program/known_locks.h"
#include "rules/effect_chain.h"
#include "rules/rule.h"

/* Where a loop or a task takes a lock. */
struct taker {
    const struct program_call *call;
};

struct takers {
    word_set keys; /* value: 1 + index into at */
    VEC(struct taker) at;
};

static const char *lock_key(const program *p, const struct fact_call *call, enum lock_action action)
{
    const struct known_lock *row =
        call->callee_kind == CALLEE_NAME
            ? known_lock_find(program_settings(p)->known, sv_from(call->callee))
            : NULL;
    if (row == NULL || row->action != action || row->kind == LOCK_ASYNC ||
        row->lock.kind == PLACE_NONE || (size_t)row->lock.arg >= call->args.count)
        return NULL;
    return call->args.at[row->lock.arg].key;
}

static void find_takers(program *p, struct takers *t)
{
    uint32_t count;
    program_function **functions = program_functions(p, &count);
    t->keys = word_set_in(program_arena(p));
    for (uint32_t i = 0; i < count; i++) {
        const program_function *f = functions[i];
        for (uint32_t k = 0; (f->contexts & (CONTEXT_LOOP | CONTEXT_TASK)) && k < f->call_count;
             k++) {
            const char *key = lock_key(p, f->calls[k].fact, LOCK_TAKE);
            struct word_entry *e = key == NULL ? NULL : word_set_add(&t->keys, sv_from(key));
            if (e == NULL || e->value != 0)
                continue;
            VEC_PUSH(program_arena(p), &t->at, (struct taker){&f->calls[k]});
            e->value = (uint32_t)t->at.count;
        }
    }
}

/* A lock held at the call that a loop or task takes elsewhere; NULL. */
static const struct taker *contended(const struct takers *t, const struct program_call *call,
                                     const char **key)
{
    for (size_t i = 0; i < call->fact->held.count; i++) {
        const struct word_entry *e = word_set_find(&t->keys, sv_from(call->fact->held.at[i]));
        if (e == NULL)
            continue;
        *key = call->fact->held.at[i];
        return &t->at.at[e->value - 1];
    }
    return NULL;
}

/* Does this way wait for a lock, or in a condition? Locks inside locks are another question. */
static bool waits_for_lock(const struct effect *e)
{
    return e->known != NULL && (e->known->reasons & REASON_LOCK) != 0;
}

/* Does a function on the way give the lock back before it goes on? */
static bool is_given_back(const struct effect *e, const char *key)
{
    for (e = e->next; e != NULL; e = e->next) {
        for (size_t i = 0; i < e->call->fact->released.count; i++) {
            if (strcmp(e->call->fact->released.at[i], key) == 0)
                return true;
        }
    }
    return false;
}

static const char *lock_name(arena *mem, const char *key)
{
    const char *colon = strrchr(key, ':');
    return arena_printf(mem, "%s", colon != NULL ? colon + 1 : key);
}

static void report(program *p, const struct rule *rule, const struct program_call *call,
                   const struct effect *e, const struct taker *taker, const char *key)
{
    arena *mem = program_arena(p);
    const char *lock = lock_name(mem, key), *leaf = effect_leaf_name(e);
    const char *words = effect_leaf_words(mem, e);
    struct finding *f =
        e->next == NULL
            ? program_report(p, rule->id, rule->severity, call,
                             "'%s' %s while '%s' is held, which %s also takes: both wait; do it "
                             "outside the lock",
                             leaf, words, lock, effect_victim(taker->call->caller))
            : program_report(
                  p, rule->id, rule->severity, call,
                  "'%s' reaches '%s', which %s, while '%s' is held, which %s also takes: "
                  "both wait; do it outside the lock",
                  e->next->call->caller->fact->name, leaf, words, lock,
                  effect_victim(taker->call->caller));
    effect_chain_notes(p, f, e);
    VEC_PUSH(mem, &f->steps,
             (struct finding_step){.place = taker->call->fact->place,
                                   .function = taker->call->caller->fact->name,
                                   .text = arena_printf(mem, "'%s' takes '%s' here, on %s",
                                                        taker->call->caller->fact->name, lock,
                                                        effect_victim(taker->call->caller))});
}

static void on_program(program *p, const struct rule *rule)
{
    struct takers takers = {.at = {0}};
    uint32_t count, n;
    program_function **functions = program_functions(p, &count);
    block_effects_compute(p);
    find_takers(p, &takers);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < functions[i]->call_count; k++) {
            const struct program_call *call = &functions[i]->calls[k];
            const char *key;
            const struct taker *taker = contended(&takers, call, &key);
            if (taker == NULL)
                continue;
            struct effect **all = block_effects_of_call(program_arena(p), p, call, &n);
            uint32_t at = 0;
            while (at < n && (all[at]->is_weak || all[at]->kind != EFFECT_BLOCKS ||
                              waits_for_lock(all[at]) || is_given_back(all[at], key)))
                at++;
            bool is_reported = functions[i]->is_root; /* blocking-call says so there */
            if (at < n && !is_reported)
                report(p, rule, call, all[at], taker, key);
        }
    }
}

const struct rule_calls rule_blocking_under_lock = {.on_program = on_program};
