/* SPDX-License-Identifier: MIT */
/* D39, D40: pointers to incomplete structs, types completed later. */
#include "leaf.h"

struct later;
struct never;
static async int read_later(struct later *l);
static async struct later *pass(struct later *l)
{
    struct later *kept = l;
    await t_tick();
    return kept;
}

struct later {
    int v;
};

static async int read_later(struct later *l)
{
    struct never *n = NULL;
    int v = l->v;
    await t_tick();
    return v + (n != NULL);
}

async struct later by_value(int v);

async struct later by_value(int v)
{
    return (struct later){await t_int(v)};
}

async int test_main(void)
{
    struct later l = {await t_ev(4)};
    say("%d %d", await read_later(await pass(&l)), (await by_value(7)).v);
    return 0;
}
