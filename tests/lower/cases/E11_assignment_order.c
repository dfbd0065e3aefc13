/* SPDX-License-Identifier: MIT */
/* E11, E12, E13, E17: the right side first, then the left side, once; chains convert. */
#include "leaf.h"

static int index_calls;

static int at(int i)
{
    say("at %d", i);
    index_calls++;
    return i;
}

static async int set_and_give(int *p, int v)
{
    *p = v;
    await t_tick();
    return v * 10;
}

static int *place(int *p)
{
    say("place");
    return p;
}

async int test_main(void)
{
    int a[6] = {0}, i = 0, *p = a;
    a[at(1)] = await t_ev(11);
    a[i] = await set_and_give(&i, 2); /* i is read after the await */
    say("%d %d %d", a[0], a[1], a[2]);
    *p++ = await t_ev(33);
    *p++ = await t_ev(44);
    say("%d %d %d", a[0], a[1], (int)(p - a));
    a[await t_ev(3)] = p_ev(5);
    a[await t_ev(4)] = await t_ev(6);
    *place(&a[await t_ev(5)]) = await t_ev(7);
    (*await t_evp("q", &a[0])) = await t_ev(8);
    say("%d %d %d %d", a[3], a[4], a[5], a[0]);
    unsigned char c;
    struct {
        int f : 3;
        unsigned g : 5;
    } s = {0, 0};
    volatile int v;
    int r = c = (unsigned char)await t_ev(300);
    int r2 = s.f = await t_ev(13);
    int r3 = v = await t_ev(3);
    say("%d %d %d %d", r, r2, r3, s.f);
    int x, y, z;
    x = y = z = await t_ev(5);
    a[at(0)] = a[at(1)] = await t_ev(9);
    say("%d %d %d %d %d", x, y, z, a[0], a[1]);
    double d = c = (unsigned char)(await t_f64(3.9));
    _Bool b = await t_int(256);
    say("%.1f %d %d", d, b, (b = (_Bool)await t_f64(0.25)) + 1);
    say("%d", (x = await t_ev(4)) + (y = await t_ev(5)));
    t_pair t[2] = {{1, 2}, {3, 4}};
    t[0] = t[1] = await t_mkpair(8, 9);
    say("%d %d", t[0].b, t[1].a);
    return index_calls;
}
