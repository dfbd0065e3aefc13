/* SPDX-License-Identifier: MIT */
/* P9: an async function with errors of C's own; other functions are still reported. */
#include "leaf.h"

static async int good(int v)
{
    return t_int(v); // expect-error: awaitc-missing-await
}

async int test_main(void)
{
    int x = undeclared + await t_int(1); // expect-error: awaitc-parse
    return x;
}
