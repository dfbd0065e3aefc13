/* SPDX-License-Identifier: MIT */
/* S26, E1: awaits in tail position, with and without clean-ups between. */
#include "leaf.h"

static async int even(int n);

static async int odd(int n)
{
    if (n == 0)
        return 0;
    return await even(n - 1);
}

static async int even(int n)
{
    if (n == 0)
        return await t_int(1);
    return await odd(n - 1);
}

static async t_big forward(int v)
{
    return await t_mkbig(v);
}

static async int guarded(int n)
{
    HOLD(n);
    return n ? await guarded(n - 1) : await t_ev(0);
}

static async int narrowed(int n)
{
    return await t_i8((int8_t)n);
}

static async void last(int v)
{
    await t_tick();
    if (v)
        return (void)await t_ev(v);
    await t_tick();
}

async int test_main(void)
{
    say("%d %d", await even(100), await even(101));
    say("%lld", (await forward(3)).v[11]);
    say("%d", await guarded(3));
    say("%d", await narrowed(300));
    await last(0);
    await last(1);
    return await even(10);
}
