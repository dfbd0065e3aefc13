/* SPDX-License-Identifier: MIT */
/* F17: where `async` could mean the pointer or what it returns, a typedef has to say which; in front of a
 * function it is the function's, so that what is returned is plain. */
#include "leaf.h"

static async int (*(*either)(int))(int); // expect-error: awaitc-async-declaration

static async int (*choose(int which))(int)
{
    return which ? t_int : NULL; // expect-error: awaitc-async-mismatch
}

async int test_main(void)
{
    return either == NULL ? 0 : await choose(1) == NULL;
}
