/* SPDX-License-Identifier: MIT */
/* F17: where `async` could mean the function or the pointer that it returns, a typedef has to say which. */
#include "leaf.h"

static async int (*choose(int which))(int) // expect-error: awaitc-async-declaration
{
    (void)which;
    return NULL;
}

async int test_main(void)
{
    return 0;
}
