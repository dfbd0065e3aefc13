/* SPDX-License-Identifier: MIT */
/* D12, D33: a clean-up that would stand in the scope of a variable-length array. */
#include "leaf.h"

async int test_main(void)
{
    int n = await t_int(3);
    int v[n]; // expect-error: awaitc-vla-across-await
    v[0] = n;
    defer
    {
        v[0]++;
    }
    return v[0];
}
