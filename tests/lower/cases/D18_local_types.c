/* SPDX-License-Identifier: MIT */
/*
 * D18, D19, D41, D21: typedefs, structs, unions, enums of a block, shadowing outer ones; typeof;
 * static assertions.
 */
#include "leaf.h"

struct item {
    int outer;
};
typedef int number;
enum { LIMIT = 10 };

static async int run(struct item *given)
{
    struct item {
        char inner;
        struct item *next;
    };
    typedef double number;
    enum { LIMIT = 3, OTHER };
    _Static_assert(LIMIT == 3, "inner");
    struct item a = {(char)await t_ev(1), NULL}, b = {2, &a};
    number half = await t_int(1) / (number)2;
    enum colour { RED = LIMIT, BLUE } c = BLUE;
    await t_tick();
    _Static_assert(sizeof(a.inner) == 1, "a struct of its own");
    say("%d %.1f %d %d", b.next->inner, half, c + OTHER, given->outer);
    {
        struct item {
            long long l[2];
        } deepest = {{await t_ev(4), 5}};
        union {
            int i;
            unsigned char c[4];
        } u = {await t_ev(0x01010101)};
        typedef struct item deep_item;
        deep_item copy = deepest;
        await t_tick();
        say("%zu %lld %d", sizeof(struct item), copy.l[1], u.c[2]);
    }
    for (int i = 0; i < LIMIT; i++) {
        struct pair {
            int a, b;
        } p = {i, await t_ev(i)};
        struct pair *q = &p;
        await t_tick();
        q->a += q->b;
        say("%d", p.a);
    }
    struct forward;
    struct forward *fp = NULL;
    struct forward {
        int v;
    } real = {await t_ev(6)};
    fp = &real;
    await t_tick();
    return fp->v + (int)sizeof(struct { int x, y; }) + ((union { int i; char c[4]; }){.i = await t_ev(1)}).c[0];
}

async int test_main(void)
{
    struct item outer = {await t_ev(50)};
    number n = LIMIT;
    say("%d %d", await run(&outer), n);
    int local = 3, array[LIMIT / 2] = {1};
    __typeof__(local) twin = await t_ev(local);
    __typeof__(array) copy = {await t_ev(2)};
    __typeof__(&array[0]) p = copy;
    const int cc = 1;
    __typeof__(cc) still_const = await t_ev(9);
    __typeof__(*p + 1.0) wide = await t_int(7);
    __auto_type au = await t_mkpair(1, 2);
    __auto_type text = "text" + 0;
    await t_tick();
    say("%d %d %zu %d %.1f %d %s", twin, *p, sizeof copy, still_const, wide / 2, au.b, text);
    return 0;
}
