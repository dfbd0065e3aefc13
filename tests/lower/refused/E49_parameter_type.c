/* SPDX-License-Identifier: MIT */
/* E49: an await in the type of a parameter. */
#include "leaf.h"

static async int f(int n, int v[await t_int(1)]) // expect-error: awaitc-await-place|awaitc-async-from-sync
{
    return v[n];
}

async int test_main(void)
{
    return 0;
}
