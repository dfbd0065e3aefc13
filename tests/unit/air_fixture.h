/* SPDX-License-Identifier: MIT */
/*
 * What do the tests of the async IR share? Functions from text, sets and layouts as text, an arena
 * for each test, a random source with a seed, and random functions.
 */
#ifndef AWAITC_TESTS_AIR_FIXTURE_H
#define AWAITC_TESTS_AIR_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyzer/base/bitset.h"
#include "analyzer/base/check.h"
#include "analyzer/ir/air.h"

static inline int with_arena(void **state)
{
    *state = arena_create();
    return 0;
}

static inline int without_arena(void **state)
{
    arena *mem = *state;
    arena_destroy(&mem);
    return 0;
}

#define AIR_TEST(function) cmocka_unit_test_setup_teardown(function, with_arena, without_arena)

/* The function of a text that must be sound. */
static inline air_func *air_of(arena *mem, const char *text)
{
    const char *error = NULL;
    air_func *fn = air_read(mem, sv_from(text), &error);
    if (fn == NULL)
        fail_msg("not read: %s", error);
    error = air_verify(fn, mem);
    if (error != NULL)
        fail_msg("not sound: %s", error);
    return fn;
}

/* The members' names in order of declaration, "-" for none. */
static inline const char *names_of(arena *mem, const air_func *fn, const bitset *set)
{
    strbuf out = strbuf_in(mem);
    BITSET_FOR_EACH (i, set) {
        strbuf_str(&out, out.len == 0 ? "" : " ");
        strbuf_sv(&out, fn->locals.at[i].name);
    }
    return out.len == 0 ? "-" : strbuf_text(&out);
}

/* ---- random functions ----------------------------------------------------------------------- */

/* xorshift64*: the same walk for the same seed everywhere. */
static inline uint32_t random_below(uint64_t *seed, uint32_t bound)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return (uint32_t)((*seed * UINT64_C(2685821657736338717)) >> 33) % bound;
}

/* The state to start from for test number `number`; spreads small numbers. */
static inline uint64_t random_start(uint64_t number)
{
    return (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

struct random_shape {
    uint32_t max_locals, max_blocks, max_ops; /* at least 1 */
    uint32_t await_percent;                   /* of the ops */
    uint32_t window; /* 0: an op takes any local; else one of so many, others after each await */
};

static inline void random_local(air_func *fn, uint64_t *seed)
{
    uint32_t number = (uint32_t)fn->locals.count;
    struct air_local local = {.kind = (enum air_local_kind)random_below(seed, 3),
                              .type = SV("t"),
                              .align_bytes = UINT64_C(1) << random_below(seed, 5)};
    local.is_scalar = random_below(seed, 3) == 0;
    local.size_bytes = local.align_bytes * (random_below(seed, 5) + (local.is_scalar ? 1 : 0));
    if (random_below(seed, 8) == 0)
        local.size_bytes += 1; /* _Alignas: a size that is no multiple of the alignment */
    local.name = sv_from(arena_printf(fn->mem, "v%u", number));
    VEC_PUSH(fn->mem, &fn->locals, local);
}

static inline uint32_t random_number(const air_func *fn, const struct random_shape *shape,
                                     uint64_t *seed)
{
    uint32_t locals = (uint32_t)fn->locals.count;
    if (shape->window == 0 || random_below(seed, 10) == 0)
        return random_below(seed, locals);
    return (fn->await_count + random_below(seed, shape->window)) % locals;
}

static inline struct air_op random_op(air_func *fn, const struct random_shape *shape,
                                      uint32_t block_count, uint64_t *seed)
{
    static const enum air_op_kind kinds[] = {AIR_USE,  AIR_USE,  AIR_DEF,  AIR_DEF,
                                             AIR_PART, AIR_LEND, AIR_ADDR, AIR_BEGIN,
                                             AIR_END,  AIR_END,  AIR_USE,  AIR_DEF};
    uint32_t locals = (uint32_t)fn->locals.count;
    struct air_op op = {.local = AIR_NONE, .cancel = AIR_NONE, .callee = SV("f")};
    if (random_below(seed, 100) >= shape->await_percent) {
        op.kind = kinds[random_below(seed, COUNTOF(kinds))];
        op.local = random_number(fn, shape, seed);
        return op;
    }
    op.kind = AIR_AWAIT;
    op.await = ++fn->await_count;
    if (block_count > 1 && random_below(seed, 2) == 0)
        op.cancel = 1 + random_below(seed, block_count - 1);
    op.hold_count = random_below(seed, 3) % (locals + 1);
    op.holds = ARENA_ARRAY(fn->mem, uint32_t, op.hold_count);
    for (uint32_t i = 0; i < op.hold_count; i++)
        op.holds[i] = random_number(fn, shape, seed);
    return op;
}

static inline struct air_op random_terminator(air_func *fn, uint32_t block_count, uint64_t *seed)
{
    static const enum air_op_kind ends[] = {AIR_RETURN, AIR_CANCELLED, AIR_STOP};
    struct air_op op = {.local = AIR_NONE, .cancel = AIR_NONE};
    if (block_count == 1 || random_below(seed, 7) == 0) {
        op.kind = ends[random_below(seed, COUNTOF(ends))];
        return op;
    }
    op.target_count = 1 + random_below(seed, 3);
    op.kind = op.target_count == 1 ? AIR_GOTO : AIR_BRANCH;
    op.targets = ARENA_ARRAY(fn->mem, uint32_t, op.target_count);
    for (uint32_t i = 0; i < op.target_count; i++)
        op.targets[i] = 1 + random_below(seed, block_count - 1);
    return op;
}

/* Any sound function; what its ops say need not make sense as C. */
static inline air_func *random_func(arena *mem, const struct random_shape *shape, uint64_t *seed)
{
    air_func *fn = ARENA_NEW(mem, air_func);
    fn->mem = mem;
    fn->name = SV("random");
    VEC_PUSH(mem, &fn->scopes, (struct air_scope){AIR_NONE});
    uint32_t locals = 1 + random_below(seed, shape->max_locals);
    uint32_t blocks = 1 + random_below(seed, shape->max_blocks);
    while (fn->locals.count < locals)
        random_local(fn, seed);
    while (fn->blocks.count < blocks) {
        struct air_block block = {0};
        uint32_t ops = random_below(seed, shape->max_ops);
        while (block.ops.count < ops)
            VEC_PUSH(mem, &block.ops, random_op(fn, shape, blocks, seed));
        VEC_PUSH(mem, &block.ops, random_terminator(fn, blocks, seed));
        VEC_PUSH(mem, &fn->blocks, block);
    }
    assert_null(air_verify(fn, mem));
    return fn;
}

#endif
