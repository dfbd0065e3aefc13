/* SPDX-License-Identifier: MIT */
/* F10: a K&R definition. */
// std: gnu89
#include "leaf.h"

async int old(a, b) // expect-error: awaitc-async-declaration
    int a, b;
{
    return await t_int(a + b);
}

async int test_main(void)
{
    return 0;
}
