/* SPDX-License-Identifier: MIT */
/* E9: GNU a ?: b evaluates a once. */
#include "leaf.h"

static int n;

static int next(void)
{
    return n++;
}

async int test_main(void)
{
    say("%d", await t_ev(3) ?: await t_ev(4));
    say("%d", await t_ev(0) ?: await t_ev(4));
    say("%d", next() ?: await t_ev(5));
    say("%d", next() ?: await t_ev(6));
    say("%d", await t_ev(next()) ?: next());
    say("n %d", n);
    const char *s = (char *)await t_ptr(NULL) ?: "fallback";
    say("%s", s);
    say("%d", await t_ev(0) ?: await t_ev(0) ?: await t_ev(7));
    say("%.1f", await t_int(0) ?: 2.5);
    n = 0;
    say("%d %d", (await t_ev(n++) ?: n++) + (n++ ?: await t_ev(1)), n);
    return n;
}
