/* SPDX-License-Identifier: MIT */
/* S2, S8: awaits in while conditions; continue evaluates the condition again. */
#include "leaf.h"

static int n;

static async int less(int limit)
{
    n++;
    return await t_evn("less", n) < limit;
}

async int test_main(void)
{
    while (await less(4)) {
        if (n == 2)
            continue;
        say("body %d", n);
    }
    n = 0;
    while (n < 6 && await less(100)) {
        if (await t_ev(n) == 3)
            continue;
        if (n == 5)
            break;
        while (await t_int(1)) {
            if (await t_ev(n * 10) >= 40)
                break;
            n++;
            if (n == 4)
                continue;
            break;
        }
    }
    while (1) {
        await t_tick();
        if (n++ > 7)
            break;
    }
    while (await t_int(0))
        say("never");
    int x = 3;
    while (x--)
        await t_ev(x);
    while ((x = await t_ev(x + 1)) < 3 ? 1 : await t_ev(0))
        say("x %d", x);
    return n;
}
