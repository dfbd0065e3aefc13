/* SPDX-License-Identifier: MIT */
/*
 * What may a call wait for in the end? Effects begin at calls of functions that the facts, or the
 * source itself, say to block, and go up the calls that run on the same thread. On each step the
 * values of the leaf's arguments are those of that way of calling, so that `wait_ms(0)` may be
 * quick where `wait_ms(100)` is not; the guard is asked again.
 *
 *     on_packet --write_all(f->out, ...)--> write_all --poll(&pf, 1, -1)--> poll waits for an event
 */
#ifndef AWAITC_PROGRAM_BLOCK_EFFECTS_H
#define AWAITC_PROGRAM_BLOCK_EFFECTS_H

#include "analyzer/program/guards.h"
#include "analyzer/program/known_loops.h"

enum effect_kind {
    EFFECT_BLOCKS, /* the thread may wait */
    EFFECT_LOOP    /* an event loop is run, or async work driven to its end */
};

/* A condition on a parameter of the function that it is bound to. */
struct bound_condition {
    struct bound_value value;
    bool equal;
    int64_t number;
    const char *record; /* see fact_condition */
};

/* One way from a call down to what waits. */
struct effect {
    enum effect_kind kind;
    const struct program_call *call; /* in the function that has the effect */
    const struct effect *next;       /* of the callee; NULL: `call` is the leaf */
    const struct program_call *leaf;
    const struct known_blocking *known; /* of the leaf; NULL: the source states it */
    const struct known_loop *loop;      /* EFFECT_LOOP */
    enum blocking_tier tier;
    bool is_weak;             /* only if a descriptor or flag that is not known says so */
    bool is_doubtful;         /* it is hardly sure that the calls lead there */
    bool depends;             /* on what a caller passes */
    uint32_t depth;           /* calls down to the leaf, which is 1 */
    struct bound_value *args; /* of the leaf, as this way sets them */
    uint32_t arg_count;
    const struct bound_condition *when; /* under which it is reached, as far as they are open */
    uint32_t when_count;
};

/* Computes the effects of all functions; once, before the questions. */
void block_effects_compute(program *p);

/* The effects of a function, by rising depth; [*count]. */
struct effect *const *block_effects_of(const program_function *f, uint32_t *count);

/*
 * The effects that one call of a function has, the strongest first: those of tier A before B before
 * C, sure before weak, short before long ways. Borrowed from `mem`.
 */
struct effect **block_effects_of_call(arena *mem, program *p, const struct program_call *call,
                                      uint32_t *count);

#endif
