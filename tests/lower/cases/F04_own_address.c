/* SPDX-License-Identifier: MIT */
/*
 * F4: an async function that takes its own address, with and without a declaration in front of it;
 * awaits whose states would have the same name.
 */
#include "leaf.h"

struct handler {
    async int (*call)(struct handler *);
    int left;
};

static async int self(struct handler *h)
{
    h->call = &self;
    if (h->left-- == 0)
        return await t_ev(7);
    return await h->call(h) + 1;
}

async int visible(struct handler *h)
{
    h->call = h->left > 2 ? visible : self;
    await t_tick();
    return h->left-- > 0 ? await h->call(h) + 10 : 0;
}

static async int add_d(int v)
{
    return await t_int(v) + 1;
}
static async int add_D(int v)
{
    return await t_int(v) + 2;
}
static async int add_d_2(int v)
{
    return await t_int(v) + 3;
}

static async int same_names(int v)
{
    int a = await add_d(v), b = await add_D(v), c = await add_d_2(v), d = await add_d(a);
    return a + b * 10 + c * 100 + d * 1000;
}

async int test_main(void)
{
    struct handler h = {self, 3}, k = {visible, 5};
    say("%d %d %d", await self(&h), await visible(&k), await same_names(1));
    return 0;
}
