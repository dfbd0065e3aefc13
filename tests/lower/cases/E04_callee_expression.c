/* SPDX-License-Identifier: MIT */
/* E4: a callee expression with side effects is evaluated first and once. */
#include "leaf.h"

typedef async int (*fn)(int, int);
static int picks;

static async int add(int a, int b)
{
    await t_tick();
    return a + b;
}

static async int sub(int a, int b)
{
    return await t_int(a - b);
}

static fn pick(int which)
{
    say("pick %d", which);
    picks++;
    return which ? add : sub;
}

static async fn pick_later(int which)
{
    say("pick later %d", which);
    await t_tick();
    return which ? sub : add;
}

struct holder {
    fn table[2];
    struct holder *self;
};

async int test_main(void)
{
    struct holder h = {{add, sub}, &h};
    int i = 0;
    say("%d", await (*pick(1))(await t_ev(10), await t_ev(3)));
    say("%d", await pick(0)(p_ev(10), await t_ev(3)));
    say("%d", await (await pick_later(1))(await t_ev(7), p_ev(2)));
    say("%d", await h.table[i++](await t_ev(1), i));
    say("%d", await h.self->self->table[await t_ev(1)](await t_ev(1), await t_ev(5)));
    say("%d", await (i ? add : sub)(await t_ev(i), 1));
    say("%d", await (**&h.table[0])(await t_ev(2), 2));
    fn f = add;
    say("%d", await f(await t_int((f = sub, 4)), 1));
    say("%d", await f(4, 1));
    return picks;
}
