/* SPDX-License-Identifier: MIT */
/* E50: await of what is not an async call. */
#include "leaf.h"

static int plain(int v)
{
    return v;
}

async int test_main(void)
{
    int x = 1, *p = &x;
    int (*f)(int) = plain;
    await x; // expect-error: awaitc-await-operand
    x = await 5; // expect-error: awaitc-await-operand
    x = await plain(1); // expect-error: awaitc-await-operand
    x = await f(2); // expect-error: awaitc-await-operand
    x = await (x + 1); // expect-error: awaitc-await-operand
    x = await *p; // expect-error: awaitc-await-operand
    await t_int; // expect-error: awaitc-await-operand
    x = await (int)3; // expect-error: awaitc-await-operand
    x = await await t_int(4); // expect-error: awaitc-await-operand
    x = await sizeof x; // expect-error: awaitc-await-operand
    x = await (t_int(5)) + await ((t_int)(6)); /* parentheses are fine */
    return x;
}
