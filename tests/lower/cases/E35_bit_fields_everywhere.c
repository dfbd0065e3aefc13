/* SPDX-License-Identifier: MIT */
/* E35: bit-fields, wide and nested ones, as every kind of operand beside awaits. */
#include "leaf.h"
struct b {
    unsigned a : 3;
    int s : 5;
    _Bool f : 1;
    unsigned long long w : 40;
    long long sw : 40;
    unsigned : 0;
    signed char c : 4;
};
union u {
    struct b b;
    unsigned long long raw[3];
};
static async struct b *pb(struct b *p)
{
    await t_tick();
    return p;
}
static struct b glob;
static void show(const struct b *x)
{
    say("%u %d %d %llu %lld %d", x->a, x->s, x->f, (unsigned long long)x->w, (long long)x->sw,
        x->c);
}
static async void ops(void)
{
    struct b x = {0};
    x.a = await t_ev(13);
    x.s = (int)await t_ev(-3);
    x.f = await t_ev(4);
    x.w = (unsigned long long)await t_u64(1ULL << 39 | 5);
    x.sw = await t_i64(-7);
    x.c = (signed char)await t_ev(9);
    show(&x);
    int y = x.a = await t_ev(12);
    say("%d", y);
    y = x.s = x.c = await t_ev(-9);
    say("%d", y);
    show(&x);
    x.a += await t_ev(6);
    x.s -= await t_ev(2);
    x.f ^= await t_ev(1);
    x.w <<= await t_ev(1);
    x.sw *= await t_ev(3);
    show(&x);
    (await pb(&x))->a++;
    --(await pb(&x))->s;
    (await pb(&x))->w += await t_u64(3);
    show(&x);
    say("%d", (await pb(&x))->a++ + await t_ev(1));
    say("%d", (await pb(&x))->c = await t_ev(7));
    show(&x);
    say("%d", x.a + await t_ev(1) + x.s);
    say("%d", x.f && await t_ev(1));
    say("%d", x.a ? await t_ev(2) : 3);
    say("%lld", (long long)(x.w + (unsigned long long)await t_ev(1)));
    say("%d", (x.w << 1) > (unsigned)await t_ev(3));
    say("%d", -(int)x.a < await t_ev(0));
    say("%lld", (long long)(x.sw - await t_ev(4)));
    glob = x;
    glob.a |= await t_ev(1);
    show(&glob);
    struct b arr[3] = {[1] = x, [2].a = await t_ev(3), [0].w = x.w};
    arr[await t_ev(1)].s = await t_ev(2);
    arr[await t_ev(2)].a *= await t_ev(2);
    for (int i = 0; i < 3; i++)
        show(arr + i);
    union u u = {.b = x};
    u.b.a = await t_ev(1);
    show(&u.b);
    switch (x.a) {
    case 0 ... 7:
        say("in");
        await t_tick();
    }
    say("%d %d", x.s, await t_ev(x.s));
    say("%llu", (unsigned long long)x.w | await t_u64(0));
    for (x.a = 0; x.a < await t_ev(3); x.a += (unsigned)await t_int(1))
        say("a%u", x.a);
    x.f = 0;
    while (!x.f)
        x.f = await t_bool(1);
    struct {
        unsigned k : 2;
        struct {
            int m : 4;
        };
    } an = {await t_ev(7), {await t_ev(-2)}};
    await t_tick();
    say("%d %d", an.k, an.m);
    an.m = await t_ev(3);
    say("%d", an.m++ + await t_ev(0));
    const struct b cb = x;
    await t_tick();
    show(&cb);
}
static async struct b ret(struct b v)
{
    await t_tick();
    v.a++;
    return v;
}
async int test_main(void)
{
    await ops();
    struct b z = await ret((struct b){.a = (unsigned)await t_ev(2), .sw = -1});
    show(&z);
    say("%d", (await ret(z)).a);
    return (int)(await ret(z)).sw;
}
