/* SPDX-License-Identifier: MIT */
/*
 * E14, E15: a compound assignment reads its left side once, after the right side; x = x + await
 * reads before.
 */
#include "leaf.h"

static int global;

static async int add_to(int *p, int v)
{
    await t_tick();
    *p += v;
    await t_tick();
    return v;
}

static int calls;

static int *once(int *p)
{
    calls++;
    return p;
}

async int test_main(void)
{
    int x = 1;
    x += await add_to(&x, 10); /* 1 + 10, then + 10 */
    say("%d", x);
    x = 1;
    x = x + await add_to(&x, 10); /* the old x */
    say("%d", x);
    global = 5;
    global *= await add_to(&global, 2);
    say("%d", global);
    int a[3] = {1, 2, 3}, i = 0;
    a[i] += await add_to(&i, 1); /* i is 1 by then */
    say("%d %d", a[0], a[1]);
    a[await t_ev(2)] -= await t_ev(1);
    *once(&a[0]) <<= await t_ev(3);
    say("%d %d calls %d", a[2], a[0], calls);
    int *p = a;
    p += await t_ev(2);
    *p-- %= await t_ev(2);
    say("%d %d", (int)(p - a), a[2]);
    unsigned char c = 250;
    c += (unsigned char)await t_ev(10);
    c >>= await t_ev(1);
    short s = 100;
    s *= (short)await t_f64(1.5);
    s = 100;
    s *= await t_f64(1.5);
    float f = 1;
    f /= (float)await t_ev(4);
    struct {
        unsigned b : 4;
        int w : 20;
    } bits = {15, -1};
    bits.b += (unsigned)await t_ev(3);
    bits.w ^= await t_ev(0xff);
    volatile int v = 4;
    v |= await t_ev(3);
    _Atomic int at = 6;
    at += await t_ev(4);
    at &= await t_ev(~2);
    _Bool b = 0;
    b |= await t_ev(4);
    long long l = 1;
    l <<= await t_ev(40);
    say("%d %d %.2f %u %d %d %d %d %lld", c, s, (double)f, bits.b, bits.w, v, at, b, l);
    double _Complex z = 1;
    z *= await t_int(3);
    int r = (x += await t_ev(1)) + (x -= 0);
    say("%.1f %d", __real__ z, (r, x));
    x = 1;
    x += x += await t_ev(2);
    say("%d", x);
    return 0;
}
