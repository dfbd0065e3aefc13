/* SPDX-License-Identifier: MIT */
/* The second file. */
#include "shared.h"

static async int helper(int v)
{
    return await t_int(v * 100);
}

async int b_entry(int v)
{
    return v > 0 ? await helper(v) + await a_entry(v - 1) : await header_twice(v);
}

async t_big b_big(int v)
{
    t_big b = await t_mkbig(v);
    b.v[11] += await helper(1);
    return b;
}

int b_plain(int v)
{
    return v + counter++;
}

int counter = 40;
async int (*registry[3])(int) = {helper, b_entry, a_entry};
