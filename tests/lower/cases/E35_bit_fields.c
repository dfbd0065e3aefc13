/* SPDX-License-Identifier: MIT */
/* E35, E16, E17: bit-fields as operands, targets, members of awaited structs. */
#include "leaf.h"

struct bits {
    int a : 3;
    unsigned b : 5;
    _Bool c : 1;
    long long d : 33;
    unsigned : 0;
    unsigned char e : 2;
};

static async struct bits make(int v)
{
    struct bits s = {.a = 1, .b = (unsigned)v, .d = -v};
    await t_tick();
    s.e = (unsigned char)(v & 3);
    return s;
}

async int test_main(void)
{
    struct bits s = {-4, 17, 1, -5000000000ll + 4000000000ll, 3}, *p = &s;
    say("%d", s.a + await t_ev(1));
    say("%d", s.b - (unsigned)await t_ev(20) > 0);
    say("%d", (int)(s.b << await t_ev(4)));
    say("%d", s.a = await t_ev(7));
    say("%d", p->a += await t_ev(2));
    say("%u", p->b++ + (unsigned)await t_ev(0));
    s.c = await t_ev(2);
    p->d = await t_i64(1ll << 33);
    say("%d %lld", s.c, (long long)s.d);
    say("%d %u %lld", (await make(9)).a, (await make(9)).b, (long long)(await make(9)).d);
    say("%d", s.e ? await t_ev(1) : 0);
    switch (p->b) {
    case 18:
        s.b = (unsigned)await t_ev(100);
    }
    struct bits t = {.a = await t_ev(3), .b = (unsigned)await t_ev(33)};
    int chain = t.a = s.a = await t_ev(5);
    say("%u %u %d %d %d", s.b, t.b, t.a, s.a, chain);
    s = await make(6);
    s.b |= (await make(8)).b;
    return (int)s.b;
}
