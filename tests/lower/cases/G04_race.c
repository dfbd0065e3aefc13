/* SPDX-License-Identifier: MIT */
/*
 * 4: aw_race: the index of the first, the smallest of several; ready calls keep later ones from
 * starting; losers have left.
 */
// erased: none
// one-worker
#include "leaf.h"

static async int ready(int v)
{
    say("ready %d", v);
    return v;
}

static async int forever(int id)
{
    HOLD(id);
    for (;;)
        await aw_yield();
    return id;
}

static async int quiet_forever(void)
{
    for (;;)
        await aw_yield();
    return 0;
}

static async int after(int rounds, int v)
{
    HOLD(v);
    while (rounds-- > 0)
        await aw_yield();
    return v;
}

static async int park_forever(int id)
{
    HOLD(id);
    await aw_park();
    return id;
}

async int test_main(void)
{
    int a = -1, b = -2, c = -3;
    say("%d", await aw_race(a = ready(1), b = ready(2)));
    say("%d %d", a, b);
    say("%d", await aw_race(a = quiet_forever(), b = after(3, 11), c = park_forever(12)));
    say("%d %d %d", a, b, c);
    say("%d", await aw_race(forever(13), c = ready(3), b = forever(14)));
    say("%d %d", b, c);
    switch (await aw_race(a = after(50, 20), b = after(2, 21))) {
    case 0:
        say("never");
        break;
    case 1:
        say("second %d %d", a, b);
    }
    int x = -1, y = -1, rc = -9;
    say("%d", await aw_race(aw_all(x = after(2, 30), y = after(3, 31)), forever(32)));
    say("%d %d", x, y);
    say("%d", await aw_race(forever(40), rc = aw_race(forever(41), y = after(1, 42))));
    say("%d %d", rc, y);
    return 0;
}
