/* SPDX-License-Identifier: MIT */
/* D12, E25: a variable-length array in scope at an await. */
#include "leaf.h"

static async int one(int n)
{
    int v[n];
    v[0] = n;
    await t_tick(); // expect-error: awaitc-vla-across-await
    return v[0];
}

static async int two(int n)
{
    for (int i = 0; i < n; i++) {
        int v[i + 1];
        v[i] = await t_int(i); // expect-error: awaitc-vla-across-await
        n += v[i];
    }
    return n;
}

async int test_main(void)
{
    return await one(3) + await two(2);
}
