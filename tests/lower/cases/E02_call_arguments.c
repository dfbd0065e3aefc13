/* SPDX-License-Identifier: MIT */
/*
 * E2, E3: awaits in call arguments, several in one list, conversions to the parameter's type,
 * variadic parts.
 */
#include "leaf.h"

static async int mix(int a, unsigned char b, double c, const char *s, long long d)
{
    await t_tick();
    say("mix %d %d %.2f %s %lld", a, b, c, s, d);
    return a + b + (int)c + (int)d;
}

static int plain(int a, short b, float c)
{
    say("plain %d %d %.2f", a, b, (double)c);
    return a * b;
}

async int test_main(void)
{
    int x = 5;
    say("%d", await mix(await t_ev(1), (unsigned char)await t_ev(300), await t_int(3), "s", await t_ev(4)));
    say("%d", await mix(x, (unsigned char)await t_ev(x), 1.5, await t_bool(x) ? "yes" : "no", x));
    say("%d", plain(p_ev(1), (short)await t_ev(70000), (float)await t_ev(3)));
    say("%d", plain(await t_ev(2), (short)p_ev(3), (float)p_ev(4)));
    say("%d %lld %.3f %s %c", await t_ev(1), (long long)await t_i64(-5), (double)await t_f32(1.5f),
        (char *)await t_ptr("text"), await t_i8('c'));
    say("%d %d %d %d", p_ev(1), await t_ev(2), p_ev(3), await t_ev(4));
    say("%d", plain(x++, (short)await t_int(x), (float)(x += 10)));
    say("%d", await t_ev(await t_ev(await t_ev(await t_ev(9)))));
    say("%d", await mix(await mix(1, 2, 3, "in", 4), 1, await t_f64(0.5), "out", await mix(0, 0, 0, "z", 0)));
    return x;
}
