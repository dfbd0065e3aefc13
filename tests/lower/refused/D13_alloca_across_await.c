/* SPDX-License-Identifier: MIT */
/* D13: a block of alloca that may be alive across an await. */
#include <alloca.h>
#include "leaf.h"

static async int one(int n)
{
    char *p = alloca((size_t)n);
    p[0] = 1;
    await t_tick(); // expect-error: awaitc-alloca-across-await
    return p[0];
}

static async int two(int n)
{
    int *p = __builtin_alloca(sizeof *p);
    *p = await t_int(n); // expect-error: awaitc-alloca-across-await
    return *p;
}

async int test_main(void)
{
    return await one(1) + await two(2);
}
