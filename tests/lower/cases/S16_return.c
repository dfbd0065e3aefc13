/* SPDX-License-Identifier: MIT */
/*
 * S16, S17, S19, S22: returns from nested scopes; the value comes before the clean-ups; code behind
 * a return; falling off the end.
 */
#include <stdlib.h>
#include "leaf.h"

static int global;

static void bump(int *p)
{
    say("bump %d", *p);
    *p += 100;
    global++;
}

static void bump_pair(t_pair *p)
{
    p->a = 99;
}

static async int value_first(void)
{
    __attribute__((cleanup(bump))) int x = await t_ev(1);
    return x;
}

static async int value_first_awaited(void)
{
    __attribute__((cleanup(bump))) int x = 1;
    return x + await t_ev(1);
}

static async int global_first(void)
{
    __attribute__((cleanup(bump))) int x = await t_int(5);
    return global;
}

static async t_pair struct_first(int which)
{
    __attribute__((cleanup(bump_pair))) t_pair p = await t_mkpair(1, 2);
    await t_tick();
    t_pair copy = p;
    if (which)
        return copy;
    return await t_pass(p);
}

static async int deep(int v)
{
    for (;;) {
        switch (v) {
        case 1:
            do {
                HOLD(1);
                if (await t_ev(v))
                    return ({ await t_int(11); });
            } while (1);
        default: {
            HOLD(2);
            while (await t_ev(v)) {
                HOLD(3);
                return await t_ev(v) + 1;
            }
        }
        }
        return 5;
        await t_ev(77);
    }
    say("never");
    return await t_ev(78);
}

static async int no_value(int *out)
{
    *out = await t_int(4);
} /* allowed while nobody uses the value */

static async void early(int v)
{
    if (await t_ev(v))
        return;
    say("late");
    return;
}

static async int ends(int v)
{
    if (v < 0)
        abort();
    if (await t_ev(v))
        return 1;
    if (v == 0)
        return 2;
    __builtin_unreachable();
}

async int test_main(void)
{
    say("%d %d %d", await value_first(), await value_first_awaited(), await global_first());
    t_pair p = await struct_first(1), q = await struct_first(0);
    say("%d %d %d", p.a, p.b, q.a);
    say("%d %d %d", await deep(0), await deep(1), await deep(2));
    int out;
    await no_value(&out);
    await early(0);
    await early(1);
    say("%d %d %d", out, await ends(0), await ends(3));
    return 0;
}
