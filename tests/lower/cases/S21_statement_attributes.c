/* SPDX-License-Identifier: MIT */
/* S21, R20: fallthrough and other statement attributes, loop pragmas, around awaits. */
#include "leaf.h"

static async int run(int v)
{
    int sum = 0;
    switch (v) {
    case 0:
        sum += await t_ev(1);
        __attribute__((fallthrough));
    case 1:
        sum += await t_ev(2);
        __attribute__((fallthrough));
    default:
        sum += 3;
    }
#pragma GCC ivdep
    for (int i = 0; i < 4; i++)
        sum += i;
#pragma GCC unroll 2
    for (int i = 0; i < 3; i++)
        sum += await t_int(i);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
    int unused = await t_int(1);
#pragma GCC diagnostic pop
    if (__builtin_expect(await t_ev(sum) > 3, 1))
        goto cold;
    return 0;
cold: __attribute__((cold));
    _Pragma("GCC diagnostic push") await t_tick();
    _Pragma("GCC diagnostic pop") return sum;
}

async int test_main(void)
{
    say("%d %d %d", await run(0), await run(1), await run(2));
    return 0;
}
