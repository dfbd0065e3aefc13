/* SPDX-License-Identifier: MIT */
/* E5, E3, E6: the left operand's value is kept over the await; every operator, several types. */
#include "leaf.h"

static int global = 7;

static async int change(int *p, int v)
{
    int old = *p;
    await t_tick();
    *p = v;
    await t_tick();
    return old;
}

async int test_main(void)
{
    int x = 3, a[4] = {1, 2, 3, 4};
    unsigned u = 5;
    int *p = a;
    say("%d %d %d", x + await t_ev(1), x - await t_ev(2), x * await t_ev(3));
    say("%d %d", 100 / await t_ev(7), 100 % await t_ev(7));
    say("%d %d %d", x << await t_ev(2), 1000 >> await t_ev(2), x ^ await t_ev(9));
    say("%d %d", x & await t_ev(2), x | await t_ev(4));
    say("%d %d %d", x < await t_ev(4), x == await t_ev(3), u > (unsigned)await t_ev(-1));
    say("%d", await t_ev(1) + await t_ev(2) * await t_ev(3) - await t_ev(4));
    say("%d", (await t_ev(1) - p_ev(2)) - (p_ev(3) - await t_ev(4)));
    say("%d", x + await change(&x, 50));
    say("%d", global * await change(&global, 9) + global);
    say("%d", a[1] + await change(&a[1], 70) + a[1]);
    say("%d %d", *(p + await t_ev(2)), (int)((p + await t_int(3)) - (p + await t_int(1))));
    say("%d", p[0] + *(p += await t_int(1)) + 0 * p_ev(1));
    double d = 1.25 + await t_ev(1) + (double)await t_f32(0.5f) * await t_f64(2.0);
    say("%.3f %d", d, (int)(await t_i64(1) << 40 >> 38));
    say("%d", (char)200 + await t_ev(1) + (short)70000);
    say("%u", u - (unsigned)await t_ev(6));
    return (int)(global + x);
}
