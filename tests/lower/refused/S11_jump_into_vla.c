/* SPDX-License-Identifier: MIT */
/* S11: a jump into the scope of a variable-length array. */
#include "leaf.h"

async int test_main(void)
{
    int n = await t_int(3);
    if (n > 2)
        goto past; // expect-error: awaitc-parse|awaitc-vla-across-await|awaitc-cleanup-jump
    {
        int v[n];
        v[0] = 1;
    past:
        n++;
    }
    return n;
}
