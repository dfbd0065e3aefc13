/* SPDX-License-Identifier: MIT */
/* 6, E26, S9: a program of all kinds of scopes, cancelled at each of its leaves. */
// cancel: sweep
#include "leaf.h"

static async int leaf_in_expression(int id)
{
    HOLD(id);
    int r = ({
        HOLD(id + 1);
        int x = await t_int(1);
        x + await t_int(2);
    }) * ({
        HOLD(id + 2);
        await t_int(3);
    });
    return r + (await t_int(1) && ({
                    HOLD(id + 3);
                    await t_int(0);
                }));
}

static async t_pair structs(int id)
{
    HOLD(id);
    t_pair p = {await t_int(1), ({
                    HOLD(id + 1);
                    await t_int(2);
                })};
    return await t_pass(p);
}

static async int loops(int id)
{
    int sum = 0;
    for (int i = await t_int(0); i < await t_int(2); i += await t_int(1)) {
        HOLD(id + 10 * i);
        switch (await t_int(i)) {
        case 0: {
            HOLD(id + 10 * i + 1);
            await t_tick();
            continue;
        }
        default: {
            HOLD(id + 10 * i + 2);
            do {
                HOLD(id + 10 * i + 3);
                sum += await t_int(5);
            } while (await t_int(sum) < 6);
        }
        }
    }
    return sum;
}

static async int by_pointer(async int (*f)(int), int id)
{
    HOLD(id);
    return await f(id + 1);
}

async int test_main(void)
{
    HOLD(1);
    int r = await leaf_in_expression(100);
    t_pair p = await structs(200);
    {
        HOLD(2);
        r += await loops(300) + p.a;
    }
    r += await by_pointer(leaf_in_expression, 400);
    if (await t_int(1)) {
        HOLD(3);
        HOLD(4);
        goto out;
    }
out:
    await t_tick();
    HOLD(5);
    return await by_pointer(loops, 500) + r;
}
