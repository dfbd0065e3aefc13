/* SPDX-License-Identifier: MIT */
/* D33, S11: case labels and gotos into a defer block, and out of one by a statement expression. */
#include "leaf.h"

async int test_main(void)
{
    int x = await t_int(1);
    switch (x) {
    case 0:;
        defer {
            x++;
        case 1: // expect-error: awaitc-defer
            x--;
        }
        await t_tick();
    }
    switch (x)
        defer { x++; } // expect-error: awaitc-defer
    if (x)
    label:
        defer { x--; } // expect-error: awaitc-defer
    defer {
        ({ return 2; }); // expect-error: awaitc-defer
    }
    defer {
        defer { x++; } // expect-error: awaitc-defer
    }
    return x;
}
