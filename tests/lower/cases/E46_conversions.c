/* SPDX-License-Identifier: MIT */
/* E46: conversions at return, initialisation and assignment of awaits. */
#include "leaf.h"

static async unsigned char narrow(int v)
{
    return (unsigned char)await t_int(v);
}

static async signed char implicit(int v)
{
    return await t_int(v);
}

static async _Bool truth(double v)
{
    return await t_f64(v);
}

static async int cut(double v)
{
    return await t_f64(v);
}

static async double widen(int v)
{
    return await t_int(v);
}

static async float halve(double v)
{
    return await t_f64(v) / 3;
}

static async void *erase(int *p)
{
    return await t_pint(p);
}

static async const char *add_const(char *p)
{
    return await t_ptr(p);
}

async int test_main(void)
{
    char buf[] = "buf";
    int x = 6;
    say("%d %d %d", await narrow(300), await implicit(200), await truth(0.25));
    say("%d %.2f %.6f", await cut(-3.99), await widen(7) / 2, (double)await halve(1));
    say("%d %s", *(int *)await erase(&x), await add_const(buf));
    signed char c = await t_int(511);
    unsigned short us = await t_int(-1);
    _Bool b = await t_ptr(&x), nb = await t_ptr(NULL);
    float f = await t_int(16777217);
    int i = await t_f64(2.999);
    unsigned u = await t_i64(-1);
    say("%d %d %d %d %.1f %d %u", c, us, b, nb, (double)f, i, u);
    struct {
        unsigned char a;
        float f;
        _Bool b;
    } s = {await t_int(257), await t_int(3), await t_int(2)};
    say("%d %.1f %d", s.a, (double)s.f, s.b);
    return await narrow(256 + 5);
}
