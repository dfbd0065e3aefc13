/* SPDX-License-Identifier: MIT */
/*
 * 4: aw_try_all: 0 when all succeed; the first negative result cancels the rest, whose lvalues
 * stay.
 */
// erased: none
// one-worker
#include "leaf.h"

static async int ok(int v)
{
    return await t_int(v);
}

static async int fails(int v)
{
    await t_tick();
    return -v;
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

static async long long wide_ready(void)
{
    return 1ll << 40;
}

static async int fails_later(int rounds)
{
    while (rounds-- > 0)
        await aw_yield();
    return -33;
}

async int test_main(void)
{
    int a = 100, b = 101, c = 102;
    int rc = await aw_try_all(a = ok(1), b = ok(2));
    say("%d %d %d", rc, a, b);
    rc = await aw_try_all(a = fails_later(3), b = forever(1), c = quiet_forever());
    say("%d %d %d %d", rc, a, b, c);
    rc = await aw_try_all(forever(3), b = fails_later(5), ok(4));
    say("%d %d", rc, b);
    say("%d", await aw_try_all(fails(9)) + await aw_try_all(ok(9)));
    rc = await aw_try_all(aw_try_all(forever(4), fails_later(2)), quiet_forever());
    say("%d", rc);
    long long wide = 5;
    signed char small = 6;
    rc = await aw_try_all(wide = wide_ready(), small = t_i8(-3));
    say("%d %lld %d", rc, wide, small);
    return 0;
}
