/* SPDX-License-Identifier: MIT */
/* 3: __builtin_frame_address and __builtin_return_address in an async function. */
#include "leaf.h"

async int test_main(void)
{
    void *frame = __builtin_frame_address(0); // expect-error: awaitc-stack-address
    await t_tick();
    void *ret = __builtin_return_address(0); // expect-error: awaitc-stack-address
    return frame == ret;
}
