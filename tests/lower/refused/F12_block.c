/* SPDX-License-Identifier: MIT */
/* F12: an await in a block literal. */
// only-cc: clang
// flags: -fblocks
#include "leaf.h"

async int test_main(void)
{
    int (^b)(int) = ^(int v) { // expect-error: awaitc-nested-function
        return v;
    };
    return b(await t_int(1));
}
