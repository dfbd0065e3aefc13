/* SPDX-License-Identifier: MIT */
/* 4: aw_block_on in an async function is an error. */
#include "leaf.h"

async int test_main(void)
{
    int x = aw_block_on(t_int(1)); // expect-error: awaitc-form-operand|awaitc-async-from-sync|awaitc-await-place
    return x;
}
