/* SPDX-License-Identifier: MIT */
/* P9: a syntax error in an async function. */
#include "leaf.h"

async int test_main(void)
{
    int x = await t_int(1) + ; // expect-error: awaitc-parse
    return x;
}
