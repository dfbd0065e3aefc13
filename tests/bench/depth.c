/* SPDX-License-Identifier: MIT */
/*
 * What does it cost to go on, d functions deep? The innermost function yields n times, in a spawned
 * task. kind=boxed: a recursion, which takes pieces of frame stack from the heap on its way in;
 * kind=static: a chain whose frames are measured by the lowering.
 */
#include <awaitc.h>

#include "common.h"

static async uint64_t nest(uint64_t depth, uint64_t n)
{
    if (depth > 1)
        return await nest(depth - 1, n);
    uint64_t count = 0;
    for (uint64_t i = 0; i < n; i++) {
        await aw_yield();
        count++;
    }
    return count;
}

static async uint64_t nest_1(uint64_t n)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < n; i++) {
        await aw_yield();
        count++;
    }
    return count;
}

#define NEST(name, inner)                                                                          \
    static async uint64_t name(uint64_t n)                                                         \
    {                                                                                              \
        return await inner(n);                                                                     \
    }

NEST(nest_2, nest_1)
NEST(nest_3, nest_2)
NEST(nest_4, nest_3)
NEST(nest_5, nest_4)
NEST(nest_6, nest_5)
NEST(nest_7, nest_6)
NEST(nest_8, nest_7)
NEST(nest_9, nest_8)
NEST(nest_10, nest_9)

static async uint64_t in_task(uint64_t depth, bool is_static, uint64_t n)
{
    uint64_t count = 0;
    aw_task *t;
    if (!is_static)
        t = spawn(nest(depth, n));
    else if (depth == 1)
        t = spawn(nest_1(n));
    else
        t = spawn(nest_10(n));
    int rc = await aw_join(t, &count);
    CHECK(rc == 0, "join %d", rc);
    return count;
}

void bench_depth(void)
{
    uint64_t n = arg_num("n", 1000000);
    uint64_t depth = arg_num("d", 1);
    bool is_static = arg_is("kind", "static", "boxed");
    if (!is_static && !arg_is("kind", "boxed", "boxed"))
        unsupported();
    if (depth == 0 || (is_static && depth != 1 && depth != 10))
        unsupported();
    aw_runtime *rt = bench_runtime();
    for (int round = 0; round < 2; round++) {
        uint64_t count = round == 0 ? n / 10 : n;
        uint64_t start = now_ns();
        uint64_t resumes = aw_runtime_block_on(rt, in_task(depth, is_static, count));
        uint64_t took = now_ns() - start;
        CHECK(resumes == count, "resumes %llu", (unsigned long long)resumes);
        if (round == 1)
            emit("ns_per_resume", (double)took / (double)n);
    }
    aw_runtime_free(rt);
}
