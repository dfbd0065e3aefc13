/* SPDX-License-Identifier: MIT */
/* 3: all errors of a file are reported in one run. */
#include <setjmp.h>
#include "leaf.h"

static jmp_buf env;

static int plain(int v)
{
    return await t_int(v); // expect-error: awaitc-async-from-sync
}

static async int one(int n)
{
    int v[n], w = 0;
    __auto_type p = &v; // expect-error: awaitc-vla-across-await
    (*p)[0] = await t_int(1);
    return v[w];
}

static async int two(int n)
{
    t_int(n); // expect-error: awaitc-missing-await
    return setjmp(env); // expect-error: awaitc-setjmp
}

async int test_main(void)
{
    await plain(3); // expect-error: awaitc-await-operand
    int (*f)(int) = two; // expect-error: awaitc-async-mismatch
    return await one(1) + await two(2) + (f != NULL);
}
