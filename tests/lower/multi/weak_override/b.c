/* SPDX-License-Identifier: MIT */
/* The strong definition, with a larger frame. */
#include "leaf.h"

async int hook(int v);

async int hook(int v)
{
    t_big b = await t_mkbig(v);
    await t_tick();
    return (int)b.v[1] + (int)b.v[11];
}
