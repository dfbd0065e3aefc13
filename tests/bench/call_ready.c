/* SPDX-License-Identifier: MIT */
/*
 * What does an await cost that need not wait? A loop awaits f(i), which returns at once; depth 3: f
 * awaits g awaits h. Besides the keys of the convention:
 *
 *   leaf=plain   the innermost function has no await: a compiler may see that it never suspends
 *   leaf=could   it awaits on a condition that the compiler does not know
 *   via=direct   called by name, in the same file
 *   via=pointer  called through pointers, as ops tables do: each call looks for room
 */
#include <awaitc.h>

#include "common.h"

#define NOINLINE __attribute__((__noinline__))

int bench_must_wait; /* external, so that nobody knows its value; always 0 */

/* ---- may be inlined ------------------------------------------------------------------------ */

static async uint64_t leaf(uint64_t x)
{
    return opaque(x) + 1;
}

static async uint64_t middle(uint64_t x)
{
    return await leaf(x) + 1;
}

static async uint64_t top(uint64_t x)
{
    return await middle(x) + 1;
}

static async uint64_t could_leaf(uint64_t x)
{
    if (bench_must_wait)
        await aw_yield();
    return opaque(x) + 1;
}

static async uint64_t could_middle(uint64_t x)
{
    return await could_leaf(x) + 1;
}

static async uint64_t could_top(uint64_t x)
{
    return await could_middle(x) + 1;
}

/* ---- may not be inlined -------------------------------------------------------------------- */

NOINLINE static async uint64_t far_leaf(uint64_t x)
{
    return opaque(x) + 1;
}

NOINLINE static async uint64_t far_middle(uint64_t x)
{
    return await far_leaf(x) + 1;
}

NOINLINE static async uint64_t far_top(uint64_t x)
{
    return await far_middle(x) + 1;
}

NOINLINE static async uint64_t far_could_leaf(uint64_t x)
{
    if (bench_must_wait)
        await aw_yield();
    return opaque(x) + 1;
}

NOINLINE static async uint64_t far_could_middle(uint64_t x)
{
    return await far_could_leaf(x) + 1;
}

NOINLINE static async uint64_t far_could_top(uint64_t x)
{
    return await far_could_middle(x) + 1;
}

/* ---- through pointers ---------------------------------------------------------------------- */

typedef async uint64_t (*step)(uint64_t x);

extern step bench_steps[3]; /* external, so that any file could change them */

static async uint64_t pointer_middle(uint64_t x)
{
    return await bench_steps[0](x) + 1;
}

static async uint64_t pointer_top(uint64_t x)
{
    return await bench_steps[1](x) + 1;
}

step bench_steps[3] = {could_leaf, pointer_middle, pointer_top};

static async uint64_t loop_pointer(uint64_t n, unsigned depth)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += await bench_steps[depth - 1](i);
    return sum;
}

/* ---- loops --------------------------------------------------------------------------------- */

#define LOOP(name, function)                                                                       \
    static async uint64_t name(uint64_t n)                                                         \
    {                                                                                              \
        uint64_t sum = 0;                                                                          \
        for (uint64_t i = 0; i < n; i++)                                                           \
            sum += await function(i);                                                              \
        return sum;                                                                                \
    }

LOOP(loop_1, leaf)
LOOP(loop_3, top)
LOOP(loop_could_1, could_leaf)
LOOP(loop_could_3, could_top)
LOOP(loop_far_1, far_leaf)
LOOP(loop_far_3, far_top)
LOOP(loop_far_could_1, far_could_leaf)
LOOP(loop_far_could_3, far_could_top)

static async uint64_t measured(uint64_t n, unsigned depth, bool inlined, bool could,
                               bool by_pointer)
{
    if (by_pointer)
        return await loop_pointer(n, depth);
    if (inlined && could)
        return depth == 1 ? await loop_could_1(n) : await loop_could_3(n);
    if (inlined)
        return depth == 1 ? await loop_1(n) : await loop_3(n);
    if (could)
        return depth == 1 ? await loop_far_could_1(n) : await loop_far_could_3(n);
    return depth == 1 ? await loop_far_1(n) : await loop_far_3(n);
}

void bench_call_ready(void)
{
    uint64_t n = arg_num("n", 20000000);
    unsigned depth = (unsigned)arg_num("depth", 1);
    bool inlined = arg_num("inline", 1) != 0;
    bool could = arg_is("leaf", "could", "plain");
    bool by_pointer = arg_is("via", "pointer", "direct");
    if (depth != 1 && depth != 3)
        unsupported();
    aw_runtime *rt = bench_runtime();
    for (int round = 0; round < 2; round++) {
        uint64_t count = round == 0 ? n / 10 : n;
        uint64_t start = now_ns();
        uint64_t sum = aw_runtime_block_on(rt, measured(count, depth, inlined, could, by_pointer));
        uint64_t took = now_ns() - start;
        CHECK(sum == count * (count - 1) / 2 + count * depth, "sum %llu", (unsigned long long)sum);
        if (round == 1)
            emit("ns_per_call", (double)took / (double)n);
    }
    aw_runtime_free(rt);
}
