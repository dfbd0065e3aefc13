/* SPDX-License-Identifier: MIT */
/*
 * D33: defer blocks run in reverse order on every way out, see the variables' last values, mix with
 * cleanup attributes.
 */
// erased: gcc
#include "leaf.h"

static async int ways(int how)
{
    int x = await t_ev(how);
    defer { say("first %d", x); }
    x += 10;
    defer {
        for (int i = 0; i < 2; i++)
            say("second %d %d", i, x);
        x++;
    }
    if (how == 0)
        return x;
    HOLD(5);
    for (int i = 0; i < 3; i++) {
        int y = await t_ev(i);
        defer {
            say("loop %d %d", i, y);
        }
        y += 100;
        if (how == 1 && i == 1)
            break;
        if (how == 2 && i == 1)
            goto out;
        if (how == 3 && i == 1)
            return await t_ev(y);
        if (i == 0)
            continue;
        await t_tick();
    }
    {
        defer { t_give(7); }
        t_take(7);
        await t_tick();
    }
    if (how == 4) {
        aw_defer { say("twin"); }
        await t_ev(1);
    }
    switch (how) {
    case 4: {
        defer { say("case"); }
        await t_tick();
        break;
    }
    }
out:
    await t_tick();
    defer { x *= 2; say("last %d", x); }
    return x;
}

async int test_main(void)
{
    for (int how = 0; how < 5; how++)
        say("how %d: %d", how, await ways(how));
    return 0;
}
