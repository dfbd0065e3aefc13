/* SPDX-License-Identifier: MIT */
/* E43: __extension__ in front of an await that begins a statement, once and twice, and elsewhere. */
#include "leaf.h"

static async int twice(int v)
{
    __extension__ await t_int(v);
    __extension__ __extension__ await t_tick();
    if (v > 0)
        __extension__ await t_tick();
    __extension__(await t_int(v));
    int a = __extension__ await t_int(v), b = await __extension__ t_int(v);
    __extension__ int c = await t_int(3);
    __extension__ a += await t_int(1);
    return a + b + c;
}

async int test_main(void)
{
    __extension__ await twice(1);
    say("%d", await twice(20));
    return 0;
}
