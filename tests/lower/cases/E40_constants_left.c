/* SPDX-License-Identifier: MIT */
/* E40, E39: constants, enumerators and null pointers on the left stay what they are. */
#include "leaf.h"

enum { BIT = 4 };
static const int fixed = 3;

async int test_main(void)
{
    int x = await t_ev(2);
    say("%d %d", BIT | await t_ev(1), 'a' + await t_ev(1));
    say("%d", NULL == await t_ptr(&x));
    say("%d", (void *)0 != await t_ptr(NULL));
    say("%d", 0 == (int *)await t_ptr(&x));
    say("%.1f %d", 2.5 * await t_ev(2), fixed * await t_ev(3));
    say("%d", (int)(sizeof x * (size_t)await t_ev(2)));
    say("%d %d", 1 << await t_ev(3), -1 >> await t_ev(1));
    int *p = await t_ev(0) ? &x : 0;
    int *q = await t_ev(0) ? &x : ((void *)0);
    async int (*f)(int) = await t_ev(1) ? t_ev : 0;
    say("%d %d %d", p == 0, !q, f != 0);
    say("%d", 10 - await t_ev(3) - 2);
    return 0;
}
