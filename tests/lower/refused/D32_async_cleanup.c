/* SPDX-License-Identifier: MIT */
/* D32: an async function cannot be the clean-up of a variable: nothing could wait for it. */
#include "leaf.h"

static async void later(int *p)
{
    await t_tick();
    *p = 0;
}

static int plain(void)
{
    int x __attribute__((cleanup(later))) = 1; // expect-error: awaitc-async-mismatch|awaitc-async-from-sync|awaitc-unsupported
    return x;
}

async int test_main(void)
{
    int y __attribute__((cleanup(later))) = plain(); // expect-error: awaitc-async-mismatch|awaitc-async-from-sync|awaitc-unsupported|awaitc-missing-await
    return await t_int(y);
}
