/* SPDX-License-Identifier: MIT */
/* Async functions behind pointers. */
#include "parts.h"

static async int negate(int v)
{
    return await t_int(-v);
}

async int declared_here(int v)
{
    return await negate(v) * 2;
}

async int through(callback f, int v)
{
    return await f(await f(v)) + await f(v);
}

callback plain_table[1] = {negate};

callback get_callback(void)
{
    return declared_here;
}
