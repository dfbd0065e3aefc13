/* SPDX-License-Identifier: MIT */
/*
 * S9, D10: gotos back in front of a declaration and over it, with awaits on both sides: the object
 * keeps its value, though an outer name hides it there; labels as values; register pointers to what
 * has no name outside.
 */
#include "leaf.h"

static async int over(int a)
{
    int again = 0;
back:
    await t_tick();
    if (again++ > 0)
        goto skip;
    int t = await t_int(a) * 2;
    t++;
skip:
    await t_tick();
    say("%d %d", again, t);
    if (again < 3)
        goto back;
    return t;
}

static async int hidden(int a)
{
    long t = 7;
    int again = 0;
    {
    back:
        t += await t_int(1);
        if (again++ > 0)
            goto skip;
        int t = a;
        t += await t_int(3);
    skip:
        await t_tick();
        a += t;
        if (again < 4)
            goto back;
    }
    return a * 100 + (int)t;
}

static async int by_value(int a)
{
    void *to[] = {&&back, &&skip};
    int n = 0;
back:
    await t_tick();
    if (n++ > 0)
        goto *to[1];
    int t = a;
skip:
    t += await t_int(1);
    if (n < 3)
        goto *to[0];
    return t;
}

static async int with_register(void *given)
{
    register struct nowhere *p = given;
    struct own {
        int v;
    } o = {5};
    register struct own *q = &o, whole = {6};
    register const struct own *r = q, **s = &(const struct own *){q};
    await t_tick();
    q->v += await t_int(1);
    whole.v += await t_int(1);
    return q->v + r->v + (*s)->v + whole.v + (p == given);
}

async int test_main(void)
{
    int x = 0;
    say("%d %d", await over(4), await hidden(2));
    say("%d %d", await by_value(10), await with_register(&x));
    return 0;
}
