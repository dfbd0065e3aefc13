/* SPDX-License-Identifier: MIT */
/* S15: constants with the names of a function's states. */
#include "leaf.h"

enum { f__T_INT = 3 }; // expect-error: awaitc-reserved-name

async int f(int v)
{
    return await t_int(v) + f__T_INT;
}

async int test_main(void)
{
    return await f(1);
}
