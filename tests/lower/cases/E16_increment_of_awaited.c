/* SPDX-License-Identifier: MIT */
/* E16, E18: ++ and -- on what an await gave; the place is computed once. */
#include "leaf.h"

struct node {
    int n;
    unsigned bit : 3;
    struct node *next;
    int v[3];
};
static int calls;

static async struct node *get(struct node *p)
{
    calls++;
    await t_tick();
    return p;
}

static async t_big big(int from)
{
    return await t_mkbig(from);
}

async int test_main(void)
{
    struct node b = {2, 6, NULL, {1, 2, 3}}, a = {1, 7, &b, {4, 5, 6}};
    say("%d", (*await get(&a)).n++);
    say("%d", ++(await get(&a))->n);
    (await get(&a))->n += 1;
    (await get(&a))->n += await t_ev(5);
    (await get(&a))->bit++;
    (await get(&a))->bit += 3u;
    say("%d %u", a.n, a.bit);
    (await get(&a))->next->v[await t_ev(1)]--;
    (await get((await get(&a))->next))->v[2] *= await t_ev(7);
    say("%d %d", b.v[1], b.v[2]);
    int *p = b.v;
    int **pp = &p;
    (*(int **)await t_ptr(pp))++;
    say("%d", *p);
    /* members and elements of an awaited struct value */
    say("%lld %s %d", (await big(3)).v[4], (await big(4)).name, (await big(5)).in.hi);
    say("%lld", (await big(1)).v[await t_ev(2)] + (await big(2)).v[await t_ev(3)]);
    say("%c%c", (await big(7)).name[3], *((await big(8)).name + await t_ev(1)));
    say("calls %d", calls);
    return 0;
}
