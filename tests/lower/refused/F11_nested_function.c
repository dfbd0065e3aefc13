/* SPDX-License-Identifier: MIT */
/* F11: a nested function in an async function. */
// only-cc: gcc
#include "leaf.h"

async int test_main(void)
{
    int x = await t_int(1);
    int inner(int v) { return v + x; } // expect-error: awaitc-nested-function|awaitc-parse
    return inner(2);
}
