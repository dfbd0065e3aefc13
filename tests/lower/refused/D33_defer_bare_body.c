/* SPDX-License-Identifier: MIT */
/* D33: a defer as the bare body of an if, an else or a loop. */
#include "leaf.h"

async int test_main(void)
{
    int x = await t_int(1);
    if (x)
        defer { x++; } // expect-error: awaitc-defer
    if (x)
        x++;
    else
        defer { x++; } // expect-error: awaitc-defer
    while (x++ < 3)
        defer { x++; } // expect-error: awaitc-defer
    for (;;)
        defer { x++; } // expect-error: awaitc-defer
    return x;
}
