/* SPDX-License-Identifier: MIT */
/*
 * E37, E38, D45: pointers to functions and arrays, functions that return them, arrays that decay.
 */
#include "leaf.h"

typedef int (*unary)(int);
static int table[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};

static int neg(int v)
{
    return -v;
}

static int inc(int v)
{
    return v + 1;
}

static async unary choose(int which)
{
    await t_tick();
    return which ? neg : inc;
}

static async int (*row(int i))[4]
{
    await t_tick();
    return &table[i];
}

static async unary chosen(unary f)
{
    return await t_int(1) ? f : neg;
}

static int apply(unary f, int v)
{
    return f(v);
}

async int test_main(void)
{
    say("%d %d", (await choose(1))(5), (await choose(0))(await t_ev(5)));
    say("%d", (*await choose(await t_ev(1)))(7));
    say("%d", (*await row(1))[2] + (*await row(2))[await t_ev(3)]);
    say("%d", apply(await chosen(inc), await t_ev(1)) + apply(neg, await t_ev(2)));
    int(*p)[4] = await row(0);
    int a[2][3] = {{1, 2, await t_ev(3)}, {4, 5, 6}};
    int(*q)[3] = a;
    int(*(*fns[2])(int))[4] = {0};
    unary list[2] = {neg, await chosen(inc)};
    unary (*which)[2] = &list;
    await t_tick();
    say("%zu %zu %zu %zu", sizeof a, sizeof *q, sizeof a[0], sizeof fns);
    say("%d %d %d", (*p)[3], (*(q + 1))[await t_ev(1)], (int)((char *)(a + 1) - (char *)a));
    say("%d %d", (*which)[await t_ev(0)](9), (*which[0])(await t_ev(9)));
    say("%d %d", *a[await t_ev(1)] + **a, (int)(&a[1] - &a[await t_int(0)]));
    say("%d", *(table[await t_ev(2)] + await t_ev(1)));
    say("%d", (inc)(await t_ev(1)) + (*neg)(await t_ev(1)) + (&inc)(await t_ev(3)));
    say("%s %c", "decays" + await t_ev(2), *("ab" + await t_ev(1)));
    say("%d", fns[0] == NULL && neg != await chosen(inc));
    return 0;
}
