/* SPDX-License-Identifier: MIT */
/* E27: initialisers of array elements that a later one gives again are not evaluated. */
// erased: none
#include "leaf.h"

static async int plain_first(void)
{
    int a[3] = {await t_ev(1), [0] = await t_ev(2), await t_ev(3)};
    return a[0] * 100 + a[1] * 10 + a[2];
}

static async int plain_last(void)
{
    int a[] = {[2] = await t_ev(4), [0] = 1, await t_ev(5), await t_ev(6)};
    return a[0] * 100 + a[1] * 10 + a[2];
}

static async int ranges(void)
{
    const int *a = (int[]){[1] = await t_ev(7), [0 ... 2] = await t_ev(8), [1] = await t_ev(9)};
    return a[0] * 100 + a[1] * 10 + a[2];
}

async int test_main(void)
{
    say("%d", await plain_first());
    say("%d", await plain_last());
    say("%d", await ranges());
    return 0;
}
