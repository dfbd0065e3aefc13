/* SPDX-License-Identifier: MIT */
/* S11: a jump into a statement expression. */
#include "leaf.h"

async int test_main(void)
{
    int n = await t_int(3);
    if (n > 2)
        goto past; // expect-error: awaitc-parse|awaitc-cleanup-jump|awaitc-unsupported
    n += ({
        await t_tick();
    past:
        4;
    });
    return n;
}
