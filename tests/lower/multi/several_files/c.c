/* SPDX-License-Identifier: MIT */
/* The third file. */
#include "shared.h"

static async int helper(struct source *s, int v)
{
    s->seen *= await header_twice(v);
    return s->seen;
}

static async int map(int v)
{
    return await t_ev(v) - 1;
}

static const struct source_ops ops = {.map = map, .read = helper, .name = "c"};

const struct source_ops *c_ops(void)
{
    return &ops;
}

async int c_recursive(int n)
{
    HOLD(n);
    return n ? n + await c_recursive(n - 1) : await t_int(0);
}
