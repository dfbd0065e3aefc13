/* SPDX-License-Identifier: MIT */
/*
 * 4: aw_blocking and aw_compute: the call's type, arguments evaluated before, void and struct
 * results, inside groups.
 */
#include "leaf.h"

static int slow(int v, const char *s)
{
    return v + s[0];
}

static void set(int *p, int v)
{
    *p = v;
}

static t_big big(t_pair p)
{
    t_big b = {{p.a, p.b}, "plain", {1, 2}};
    return b;
}

static double half(float f)
{
    return (double)f / 2;
}

async int test_main(void)
{
    int x = 1, y = 0;
    say("%d", await aw_blocking(slow(await t_ev(2), "a")));
    await aw_blocking(set(&x, 9));
    say("%d %s", x, (await aw_blocking(big((t_pair){3, await t_ev(4)}))).name);
    say("%.2f", await aw_compute(half(3)) + await aw_blocking(half((float)await t_ev(1))));
    say("%d", p_ev(1) + await aw_compute(slow(x++, "b")) * 2 + x);
    int (*f)(int, const char *) = slow;
    say("%d", await aw_blocking(f(5, "c")));
    double d = 0;
    await aw_all(y = aw_blocking(slow(1, "d")), d = aw_compute(half(5)), aw_blocking(set(&x, 33)));
    say("%d %.1f %d", y, d, x);
    for (int i = 0; i < 3 && await aw_blocking(slow(i, "e")); i++)
        if (await aw_compute(slow(-i, "\1")) == 0)
            say("i %d", i);
    long long total = 0;
    for (int i = 0; i < 20; i++)
        total += await aw_compute(slow(i, "A"));
    return total == 20 * 65 + 190 ? 0 : 1;
}
