/* SPDX-License-Identifier: MIT */
/* D33: what a defer gives back is given back when the task is cancelled at any await. */
// erased: gcc
// cancel: sweep
#include "leaf.h"

static async int inner(int n)
{
    t_take(n);
    defer { t_give(n); }
    await t_tick();
    for (int i = 0; i < 2; i++) {
        HOLD(10 * n + i);
        await t_tick();
        t_take(100 * n + i);
        defer {
            if (n < 1000)
                t_give(100 * n + i);
        }
        if (i == 1)
            return await t_int(i);
        await t_tick();
    }
    return 0;
}

async int test_main(void)
{
    int id = 1;
    t_take(id);
    defer { t_give(id); }
    await inner(2);
    {
        t_take(3);
        defer { t_give(3); }
        await t_tick();
    }
    while (await t_int(0))
        ;
    await t_tick();
    HOLD(4);
    return await inner(5);
}
