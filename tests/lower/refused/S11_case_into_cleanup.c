/* SPDX-License-Identifier: MIT */
/* S11: a case label in the scope of a clean-up. */
#include "leaf.h"

async int test_main(void)
{
    int x = await t_int(1);
    switch (x) {
    case 0:;
        HOLD(1);
        await t_tick();
    case 1: // expect-error: awaitc-cleanup-jump|awaitc-parse
        x++;
    }
    return x;
}
