/* SPDX-License-Identifier: MIT */
/* E29, E18, F2: struct values, array members of temporaries, big results, struct arguments. */
#include "leaf.h"

static async t_big twice(t_big b, int times)
{
    for (int i = 0; i < 12; i++)
        b.v[i] *= times;
    await t_tick();
    b.name[0] = 'B';
    return b;
}

static int sum(const long long *v)
{
    return (int)(v[0] + v[11]);
}

struct wrap {
    t_big b;
    struct {
        t_pair p[2];
    } in;
};

static async struct wrap wrap(int v)
{
    struct wrap w = {await t_mkbig(v), {{{1, v}, await t_mkpair(v, 2)}}};
    await t_tick();
    return w;
}

async int test_main(void)
{
    t_big b = await twice(await t_mkbig(1), 2);
    say("%lld %lld %s", b.v[0], b.v[11], b.name);
    say("%d", sum((await t_mkbig(2)).v));
    say("%d", sum((await twice(await twice(b, 3), await t_ev(2))).v) + sum((await t_mkbig(3)).v));
    say("%s %s", (await t_mkbig(4)).name, (await twice(b, await t_ev(1))).name);
    say("%d", (await wrap(5)).in.p[await t_ev(1)].a + (await wrap(6)).in.p[0].b);
    struct wrap w[2] = {await wrap(1), [1].b = await t_mkbig(9)};
    w[0] = w[1];
    w[1].in = (await wrap(7)).in;
    say("%lld %d", w[0].b.v[1], w[1].in.p[1].a);
    (void)await wrap(8);
    t_big *p = &b;
    *p = await twice(*p, 10);
    say("%lld", b.v[0]);
    return (int)(await t_mkpair(3, await t_ev(4))).b;
}
