/* SPDX-License-Identifier: MIT */
/*
 * D2, F22: addresses of locals and parameters stay the same over awaits; others write through them.
 */
#include "leaf.h"

static int *shared;
static int **deep_shared;

static async int poke(int v)
{
    await t_tick();
    *shared += v;
    await t_tick();
    **deep_shared += v;
    return *shared;
}

static async int inner(int param, int *from_outer)
{
    int local = 7;
    int *p = &local, *q = &param, **pp = &p;
    const int *was_p = p, *was_q = q;
    for (int i = 0; i < 3; i++) {
        await t_tick();
        **pp += i;
        *q += *from_outer;
        *from_outer += 1;
    }
    say("same %d %d", was_p == &local, was_q == &param);
    pp = &q;
    await t_tick();
    **pp = 1000;
    return local + param;
}

struct list {
    int v;
    struct list *next;
};

static async int walk(struct list *tail, int depth)
{
    struct list here = {depth, tail};
    if (depth < 4) {
        int sum = await walk(&here, depth + 1);
        here.v = 100;
        return sum + here.v;
    }
    int sum = 0;
    for (struct list *l = &here; l != NULL; l = l->next) {
        sum = sum * 10 + l->v;
        await t_tick();
    }
    return sum;
}

async int test_main(void)
{
    int x = 1, y = 2, *py = &y;
    shared = &x;
    deep_shared = &py;
    say("%d %d %d", await poke(5), x, y);
    py = &x;
    x = 0;
    say("%d %d", await poke(3), x);
    int from = 10;
    say("%d %d", await inner(5, &from), from);
    say("%d", await walk(NULL, 0));
    int array[3] = {1, 2, 3}, *mid = &array[1];
    await t_tick();
    mid[1] += mid[-1];
    say("%d", array[2]);
    shared = NULL;
    return 0;
}
