/* SPDX-License-Identifier: MIT */
/* E1, F1: an await as a whole statement, as an initialiser, as a return operand; discarded results. */
#include "leaf.h"

static async int add(int a, int b)
{
    return await t_int(a + b);
}

static async void note(int v)
{
    await t_tick();
    say("note %d", v);
}

static async void nothing(void)
{
}

static async t_pair swap(t_pair p)
{
    return await t_mkpair(p.b, p.a);
}

async int test_main(void)
{
    await note(1);
    await nothing();
    (await (note)(2));
    await t_int(7); /* dropped */
    (void)await t_mkpair(1, 2);
    int x = await add(1, 2), y = await add(x, 10), z;
    z = await add(x, y);
    say("%d %d %d", x, y, z);
    t_pair p = await swap(await swap(await t_mkpair(3, 4)));
    say("%d %d", p.a, p.b);
    if (z == 16)
        return await add(z, -9);
    return 1;
}
