/* SPDX-License-Identifier: MIT */
/* P5, P4: pack, visibility and diagnostic pragmas around async functions and inside them. */
#include "leaf.h"

#pragma GCC visibility push(hidden)
async int hidden_by_pragma(int v);
async int hidden_by_pragma(int v)
{
    return await t_int(v);
}
#pragma GCC visibility pop
#pragma weak weak_by_pragma
async int weak_by_pragma(int v);
async int weak_by_pragma(int v)
{
    return await t_int(v + 1);
}
#pragma pack(push, 2)
static async int packed_here(char c, long long l)
{
    struct {
        char c;
        long long l;
    } s = {c, await t_i64(l)};
    char pad = 'p';
    double d = await t_f64(1.5);
    int *p = &(int){7};
    await t_tick();
    return (int)sizeof s + (int)s.l + pad + (int)d + *p;
}
#pragma pack(pop)
_Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wunused-variable\"")
static async int quiet(void)
{
    int unused = await t_int(1);
    return 0;
}
_Pragma("GCC diagnostic pop")
#pragma STDC FP_CONTRACT OFF

async int test_main(void)
{
    say("%d %d %d %d", await hidden_by_pragma(1), await weak_by_pragma(2), await packed_here('a', 3), await quiet());
    return 0;
}
