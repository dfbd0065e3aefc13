/* SPDX-License-Identifier: MIT */
/*
 * D1, D28, D29: locals that cross an await and ones that do not; a fresh object in each round of a
 * loop.
 */
#include "leaf.h"

static async int many(int a, int b, int c)
{
    int d = a + b, e = d * c, dead = e + 1;
    say("dead %d", dead);
    char ch = (char)await t_ev(a);
    long long big = (long long)e << 33;
    float f = (float)a / 4;
    double g = (double)b / 8;
    void *p = &d;
    const char *s = "kept";
    await t_tick();
    int after = d + e;
    say("%d %lld %.2f %.3f %d %s %d", ch, big, (double)f, g, *(int *)p, s, after);
    for (int i = 0; i < 3; i++) {
        int fresh = i * 10;
        int later;
        fresh += await t_ev(i);
        later = fresh + 1;
        await t_tick();
        say("%d %d", fresh, later);
    }
    {
        int x = await t_ev(1);
        say("%d", x);
    }
    {
        long long y = await t_ev(2); /* may share room with x */
        await t_tick();
        say("%lld", y);
    }
    int cond;
    if (c > 2)
        cond = await t_ev(7);
    else
        cond = 8;
    await t_tick();
    return a + b + c + d + e + cond;
}

static async int unset(int how)
{
    int only_sometimes;
    if (how)
        only_sometimes = 5;
    await t_tick();
    return how ? only_sometimes : -1;
}

async int test_main(void)
{
    say("%d", await many(1, 2, 3));
    say("%d %d", await unset(0), await unset(1));
    return 0;
}
