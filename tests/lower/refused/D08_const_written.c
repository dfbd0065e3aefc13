/* SPDX-License-Identifier: MIT */
/* D8: a const local is still const for its user. */
#include "leaf.h"

async int test_main(void)
{
    const int c = await t_int(1);
    await t_tick();
    c = 2; // expect-error: awaitc-parse
    register int r = 3;
    int *p = &r; // expect-error: awaitc-parse
    return c + *p;
}
