/* SPDX-License-Identifier: MIT */
/* S21: musttail in an async function. */
// only-cc: clang
#include "leaf.h"

static int plain(void)
{
    return 1;
}

async int test_main(void)
{
    await t_tick();
    __attribute__((musttail)) return plain(); // expect-error: awaitc-unsupported|awaitc-parse
}
