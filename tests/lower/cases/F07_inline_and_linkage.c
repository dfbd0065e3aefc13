/* SPDX-License-Identifier: MIT */
/*
 * F7, F16, F17, F20: static inline, redeclared, extern and static async functions; async among the
 * specifiers in any place.
 */
#include "leaf.h"

async static inline int a1(int v);
static async inline int a1(int v)
{
    return await t_int(v + 1);
}

inline static async int a2(int v)
{
    return await a1(v) + await a1(v);
}

extern async int a3(int v);
async extern int a3(int);
int async a3(int v)
{
    return await t_int(v + 3);
}

async unsigned long async_result(void);
unsigned async long async_result(void)
{
    return (unsigned long)await t_int(7);
}

async int a4(int), a5(int v);

async int a5(int v)
{
    return v ? await a4(v - 1) : await t_int(50);
}

async int a4(int v)
{
    return v ? await a5(v - 1) : await t_int(40);
}

async struct made {
    int v;
} make(int v)
{
    struct made m = {await t_int(v)};
    return m;
}

aw_async int twin(int v)
{
    return aw_await t_int(v);
}

/* Internal, as its first declaration says. */
static async int static_once(int x);

static async int calls_static_once(int x)
{
    return await static_once(x) + 1;
}

async int static_once(int x)
{
    return await t_int(x);
}

async int test_main(void)
{
    say("%d", await calls_static_once(4));
    say("%d %d %d %lu", await a1(1), await a2(2), await a3(3), await async_result());
    say("%d %d %d %d", await a4(3), await a5(3), (await make(6)).v, await twin(5));
    return 0;
}
