/* SPDX-License-Identifier: MIT */
/* S15: names that the lowering keeps for itself. */
#include "leaf.h"

static async int uses(int __awaitc_x) // expect-error: awaitc-reserved-name
{
    return await t_int(__awaitc_x);
}

async int test_main(void)
{
    return await uses(1);
}
