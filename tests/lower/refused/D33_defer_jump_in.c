/* SPDX-License-Identifier: MIT */
/* D33, S11: jumps into a defer block, and past one into its scope. */
#include "leaf.h"

async int test_main(void)
{
    int x = await t_int(1);
    if (x)
        goto inside; // expect-error: awaitc-defer|awaitc-cleanup-jump
    defer {
    inside:
        x++;
    }
    await t_tick();
    return x;
}
