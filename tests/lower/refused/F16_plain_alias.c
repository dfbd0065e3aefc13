/* SPDX-License-Identifier: MIT */
/* F16, D34: a plain function that is only another name of an async one. */
#include "leaf.h"

static async int twice(int x)
{
    return 2 * await t_int(x);
}

async void outer(void)
{
    await t_tick();
}

int also(int x) __attribute__((alias("twice"))); // expect-error: awaitc-async-mismatch
void weak_outer(void) __attribute__((weak, alias("outer"))); // expect-error: awaitc-async-mismatch
int plain(int x)
{
    return x;
}
int also_plain(int x) __attribute__((alias("plain")));
