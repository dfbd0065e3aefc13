/* SPDX-License-Identifier: MIT */
/* E7: && and || stay lazy, nest, and give 0 or 1. */
#include "leaf.h"

static async int yes(int id)
{
    return await t_evn("yes", id);
}

static async int no(int id)
{
    await t_evn("no", id);
    return 0;
}

async int test_main(void)
{
    say("%d", await yes(1) && await yes(5));
    say("%d", await no(1) && await yes(2));
    say("%d", await yes(3) || await yes(4));
    say("%d", await no(5) || await no(6));
    say("%d", (await no(1) || await yes(2)) && (await yes(3) || await no(4)));
    say("%d", await no(1) && await no(2) || await yes(3) && await no(4) || p_ev(5));
    say("%d", !(await yes(1) && !await no(2)) + (await t_ev(0) || p_ev(7)));
    int x = 0;
    if (x++ || await yes(x) && x == 1)
        say("x %d", x);
    int *p = NULL;
    if (p && await t_int(*p))
        say("never");
    p = &x;
    if (p != NULL && *p == 1 && await t_ev(*p) && (p = NULL, 1))
        say("p %d", p == NULL);
    say("%d", 5 + (await yes(2) && 3) * 10);
    say("%d", await t_f64(0.0) || await t_f64(0.5));
    say("%d", (int)(await t_ptr(NULL) && await yes(9)));
    for (int i = 0; i < 3 && (i == 0 || await t_ev(i)) && await yes(i + 10); i++)
        say("i %d", i);
    say("%d", await t_int(await yes(1) && await no(2)));
    return 0;
}
