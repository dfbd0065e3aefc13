/* SPDX-License-Identifier: MIT */
/* F16: a function declared async and plain, in whatever order. */
#include "leaf.h"

async int first(int v);
int first(int v) // expect-error: awaitc-async-mismatch
{
    return v;
}

int second(int v);
async int second(int v) // expect-error: awaitc-async-mismatch
{
    return await t_int(v);
}

async int third(int v); int third(int v); // expect-error: awaitc-async-mismatch

async int test_main(void)
{
    return 0;
}
