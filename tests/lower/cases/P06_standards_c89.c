/* SPDX-License-Identifier: MIT */
/* P7: the same under -std=gnu89, with declarations first. */
// std: gnu89
#include "leaf.h"

static async int add(int a, int b)
{
    int sum;
    sum = a + await t_int(b);
    return sum;
}

async int test_main(void)
{
    int i, total = 0;
    t_pair p;
    for (i = 0; i < 3; i++)
        total = await add(total, i);
    p = await t_mkpair(total, 2);
    say("%d %d", total, p.b);
    return 0;
}
