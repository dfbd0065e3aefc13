/* SPDX-License-Identifier: MIT */
/* P4, P7: the emitted text is valid under -std=c99 -pedantic-errors too. */
// std: c99
// flags: -pedantic-errors
#include "leaf.h"

static async int add(int a, int b)
{
    int sum = a;
    sum += await t_int(b);
    return sum;
}

async int test_main(void)
{
    int i, total = 0;
    for (i = 0; i < 3; i++)
        total = await add(total, i);
    say("%d", total);
    return await t_int(0) ? 1 : total;
}
