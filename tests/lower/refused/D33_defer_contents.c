/* SPDX-License-Identifier: MIT */
/* D33: what a defer block may not hold, and where it may not stand. */
#include "leaf.h"

static int plain(int v)
{
    defer { v++; } // expect-error: awaitc-defer
    return v;
}

async int test_main(void)
{
    int x = plain(1);
    defer { await t_tick(); } // expect-error: awaitc-defer
    defer {
        if (x)
            return 5; // expect-error: awaitc-defer
    }
    defer {
        x = await t_int(2); // expect-error: awaitc-defer
    }
    defer {
        goto end; // expect-error: awaitc-defer
    }
    for (int i = 0; i < 2; i++) {
        defer {
            if (x)
                break; // expect-error: awaitc-defer
        }
        defer {
            continue; // expect-error: awaitc-defer
        }
        defer {
            for (;;)
                break; /* of its own loop: fine */
        }
    }
    await t_tick();
end:
    return x;
}
