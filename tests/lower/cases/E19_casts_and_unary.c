/* SPDX-License-Identifier: MIT */
/* E19: casts and unary operators on an await. */
#include "leaf.h"

async int test_main(void)
{
    say("%d %d %d %d", -await t_ev(3), ~await t_ev(0), !await t_ev(0), +await t_ev(4));
    say("%d", !!await t_ev(5));
    say("%d", - - -await t_ev(5));
    say("%d %d", (unsigned char)await t_ev(511), (int)(signed char)await t_ev(200));
    (void)await t_ev(6);
    (void)(await t_ev(7));
    say("%.1f %lld", (double)await t_ev(7) / 2, (long long)await t_ev(-1));
    say("%d", *(int *)await t_ptr(&(int){42}));
    say("%d", (int)(intptr_t)(void *)(intptr_t)await t_ev(12));
    say("%d", -(int)await t_f64(2.9) + (int)-await t_f64(2.9));
    say("%d", (_Bool)await t_ev(2) + (_Bool)await t_f64(0.1));
    say("%d", (*await t_evp("p", &(int){5}))++);
    const char *s = (const char *)await t_ptr("abc") + 1;
    say("%s", s);
    say("%d", __real__(double _Complex) await t_ev(3) > 2);
    return 0;
}
