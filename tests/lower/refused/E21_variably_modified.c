/* SPDX-License-Identifier: MIT */
/* E21: an await in an operand of sizeof that is evaluated. */
#include "leaf.h"

async int test_main(void)
{
    int n = (int)sizeof(int[await t_int(3)]); // expect-error: awaitc-await-place|awaitc-vla-across-await
    return n;
}
