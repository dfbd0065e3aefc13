/* SPDX-License-Identifier: MIT */
/* D8, D9, D10, D11, D23: const, restrict, register, volatile and atomic locals and parameters. */
#include "leaf.h"

static async int params(const int a, register int b, int *restrict p, const char *const s, volatile int v, int *const restrict q)
{
    await t_tick();
    *p += a;
    await t_tick();
    *q += b;
    say("%d %d %d %s %d %d", a, b, *p, s, v, *q);
    return a + b;
}

async int test_main(void)
{
    const int c = await t_ev(5);
    const int *pc = &c;
    const t_pair cp = await t_mkpair(1, c);
    const int ca[3] = {1, await t_ev(2), 3};
    const char *const text = await t_ev(1) ? "yes" : "no";
    const double cd = await t_f64(2.5);
    register int r = await t_ev(6);
    register t_pair rp = {1, 2};
    int x = 1, y = 2, *restrict rx = &x;
    volatile int v = 3;
    _Atomic int at = 4;
    static const int sc = 9;
    await t_tick();
    *rx += r;
    r += await t_ev(1);
    rp.a += await t_ev(1);
    v += await t_ev(1);
    at += await t_ev(1);
    say("%d %d %d %d %d %s %.1f", c, *pc, cp.b, ca[1], ca[2], text, cd);
    say("%d %d %d %d %d %d", r, rp.a, x, v, at, sc);
    say("%d", await params(c, r, &x, "s", v, &y));
    for (const int *p = ca; p < ca + 3; p++) {
        const int once = *p * await t_ev(2);
        await t_tick();
        say("%d", once);
    }
    const volatile int cv = await t_ev(8);
    int const *const volatile pcv = &c;
    auto int au = await t_ev(3);
    await t_tick();
    return cv + *pcv + au;
}
