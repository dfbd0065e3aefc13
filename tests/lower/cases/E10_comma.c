/* SPDX-License-Identifier: MIT */
/* E10, E45: comma, and discarded values with effects left of an await. */
#include "leaf.h"

async int test_main(void)
{
    int x = 1;
    int y = (x++, await t_ev(x), x += 3, await t_ev(x) + 1);
    say("%d %d", x, y);
    say("%d", (p_ev(1), p_ev(2), await t_ev(3)));
    say("%d", (await t_ev(1), p_ev(2)));
    (void)(await t_ev(4), x = 9), say("x %d", x);
    await t_ev(5), await t_ev(6);
    x = 0, await t_ev(++x), await t_ev(++x);
    say("%d", ((void)await t_ev(x), (await t_tick(), x)) + (await t_tick(), x * 2));
    for (int i = 0, j = 5; i < j; await t_ev(i), i += 2, await t_ev(j), j--)
        say("%d %d", i, j);
    int *p = (await t_tick(), &x);
    (*(await t_tick(), p))++;
    *(await t_ev(1), p) += (await t_tick(), 5);
    return x;
}
