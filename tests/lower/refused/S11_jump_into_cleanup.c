/* SPDX-License-Identifier: MIT */
/* S11: jumps into the scope of a clean-up. */
#include "leaf.h"

async int test_main(void)
{
    int x = await t_int(1);
    if (x)
        goto past; // expect-error: awaitc-cleanup-jump|awaitc-parse
    {
        HOLD(1);
        await t_tick();
    past:
        x++;
    }
    return x;
}
