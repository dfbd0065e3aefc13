/* SPDX-License-Identifier: MIT */
/* E49: await and async calls outside async functions. */
#include "leaf.h"

static int plain(int v)
{
    return await t_int(v); // expect-error: awaitc-async-from-sync
}

static int forgotten(int v)
{
    t_int(v); // expect-error: awaitc-async-from-sync
    return t_int(v) + 1; // expect-error: awaitc-async-from-sync
}

static void by_pointer(async int (*f)(int))
{
    f(1); // expect-error: awaitc-async-from-sync
    await f(2); // expect-error: awaitc-async-from-sync
    await aw_yield(); // expect-error: awaitc-async-from-sync
    int a, b;
    await aw_all(a = t_int(1), b = t_int(2)); // expect-error: awaitc-async-from-sync
}

static int fine(int v)
{
    return aw_block_on(t_int(v)) + (int)sizeof(t_int(v));
}

async int test_main(void)
{
    by_pointer(t_int);
    return plain(1) + forgotten(2) + fine(3);
}
