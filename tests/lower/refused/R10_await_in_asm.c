/* SPDX-License-Identifier: MIT */
/* R10: an await in an operand of inline assembly. */
#include "leaf.h"

async int test_main(void)
{
    int x;
    __asm__("" : "=r"(x) : "0"(await t_int(1))); // expect-error: awaitc-await-place
    __asm__("" : "=m"(*await t_evp("p", &x))); // expect-error: awaitc-await-place
    return x;
}
