/* SPDX-License-Identifier: MIT */
/*
 * D32, S8, S16: cleanup attributes run in reverse order on every way out of a scope; only what was
 * reached is cleaned up.
 */
// cancel: sweep
#include "leaf.h"

static async int ways(int how)
{
    HOLD(1);
    await t_tick();
    {
        HOLD(2);
        if (await t_int(how) == 0)
            return await t_int(10);
        HOLD(3);
        await t_tick();
    }
    for (int i = 0; i < 4; i++) {
        HOLD(10 + i);
        await t_tick();
        if (i == 0)
            continue;
        {
            HOLD(20 + i);
            await t_tick();
            if (how == 1 && i == 1)
                break;
            if (how == 2 && i == 2)
                goto out;
            if (how == 3 && i == 2)
                return i;
            if (i == 1)
                continue;
        }
        HOLD(30 + i);
        await t_tick();
    }
    switch (how) {
    case 4: {
        HOLD(40);
        await t_tick();
        break;
    }
    case 1: {
        HOLD(41);
        await t_tick();
    }
    default: {
        HOLD(42);
        await t_tick();
    }
    }
    switch (await t_int(how)) { /* the operand is taken out in front */
    case 4: {
        HOLD(45);
        if (await t_int(how) == 4)
            break;
        say("not reached");
    }
    }
out:
    await t_tick();
    int r = ({
        HOLD(50);
        await t_int(5);
    }) + ({
        HOLD(51);
        await t_int(6);
    });
    while (await t_int(how)) {
        HOLD(60);
        how = 0;
        await t_tick();
    }
again:;
    HOLD(70);
    await t_tick();
    if (how++ < 1)
        goto again;
    return r;
}

static async int nested(int depth)
{
    HOLD(100 + depth);
    int r = depth ? await nested(depth - 1) : await t_int(0);
    await t_tick();
    return r + 1;
}

/* What the head of a for declares is left behind the loop, by a break also. */
static async int heads(int how)
{
    int turns = 0;
    for (HOLD(50); turns < 3; turns++) {
        HOLD(60 + turns);
        if (how == 1)
            break;
        for (HOLD(70); await t_int(how) != 0;) {
            HOLD(80);
            if (how == 2)
                break;
            if (how == 3 && turns == 1)
                return await t_int(turns);
            if (how == 4)
                goto out;
            how = 0;
        }
        if (turns == 2)
            continue;
        HOLD(90);
    }
out:
    return turns;
}

async int test_main(void)
{
    for (int how = 0; how < 5; how++)
        say("heads %d: %d", how, await heads(how));
    for (int how = 0; how < 5; how++) {
        HOLD(500 + how);
        say("how %d: %d", how, await ways(how));
    }
    say("%d", await nested(3));
    return 0;
}
