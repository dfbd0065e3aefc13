/* SPDX-License-Identifier: MIT */
/* F9, F10, F7, D34, D35: async functions of forms that cannot be. */
#include "leaf.h"

async int variadic(int n, ...) // expect-error: awaitc-async-declaration
{
    return await t_int(n);
}

inline async int inline_only(int v) // expect-error: awaitc-async-declaration
{
    return await t_int(v);
}

__attribute__((const)) async int constant(int v) // expect-error: awaitc-async-declaration
{
    return await t_int(v);
}

__attribute__((pure)) async int pure(int v) // expect-error: awaitc-async-declaration
{
    return await t_int(v);
}

__attribute__((constructor)) static async void at_start(void) // expect-error: awaitc-async-declaration
{
    await t_tick();
}

async int target(int v)
{
    return await t_int(v);
}

async int other_name(int v) __attribute__((alias("target"))); // expect-error: awaitc-async-declaration

async struct { int a; } nameless(void) // expect-error: awaitc-unsupported
{
    for (;;)
        await t_tick();
}

async int test_main(void)
{
    return 0;
}
