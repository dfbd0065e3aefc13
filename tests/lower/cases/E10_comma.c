/* SPDX-License-Identifier: MIT */
/* E10, E45: comma, and discarded values with effects left of an await. */
#include "leaf.h"

static t_pair make(int v)
{
    say("make %d", v);
    return (t_pair){v, 1};
}

/* A left operand with an await inside still has its own effects. */
static async int left_operands(void)
{
    t_pair p = {7, 8}, q;
    int x = (p_ev(await t_ev(1)), 5);
    x += (make((await t_tick(), 3)), 5);
    q = (make(await t_int(2)), p);
    q.b += (await t_pass((p_ev(await t_int(6)), p))).a;
    x += await t_int((make(await t_int(8)), p.a));
    x += (p, p_ev(await t_int(9)), p.b);
    (make(await t_int(10)), p_ev(11));
    (void)(p_ev(await t_int(12)), p_ev(await t_int(13)));
    for (p_ev(await t_int(14)), x++; p_ev(await t_int(0)), x < 3; p_ev(await t_int(15)), x++)
        ;
    int y = 1;
    y = (x = await t_int(4), y++, x++, x) + (y += await t_int(2), 0);
    return x + q.a + q.b + y;
}

async int test_main(void)
{
    say("%d", await left_operands());
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
