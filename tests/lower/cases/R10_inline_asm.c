/* SPDX-License-Identifier: MIT */
/* R10: inline assembly between awaits, its operands locals that cross. */
#include "leaf.h"

static async int run(int v)
{
    int x = v, y;
    unsigned long long z = 7;
    __asm__("" : "+r"(x));
    await t_tick();
    __asm__ volatile("" : "=r"(y) : "0"(x) : "memory");
    x += await t_ev(y);
    __asm__("" : "+m"(x));
    await t_tick();
    __asm__ volatile("" ::: "memory");
    struct {
        int a, b;
    } s = {x, await t_ev(2)};
    __asm__("" : "+r"(s.b), "+r"(z) : "g"(s.a));
    await t_tick();
    return x + y + s.b + (int)z;
}

async int test_main(void)
{
    say("%d", await run(3));
    return 0;
}
