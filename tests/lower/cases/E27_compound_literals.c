/* SPDX-License-Identifier: MIT */
/*
 * E27, E28: compound literals with awaits in them, and literals whose address lives across awaits.
 */
#include "leaf.h"

struct s {
    int a;
    t_pair p;
    int v[3];
};

static async int sum(const int *v, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += await t_int(v[i]);
    return total;
}

static int first(struct s s)
{
    return s.a + s.p.b + s.v[2];
}

async int test_main(void)
{
    struct s x = (struct s){await t_ev(1), {.b = await t_ev(2)}, {[2] = await t_ev(3)}};
    say("%d %d %d %d %d", x.a, x.p.a, x.p.b, x.v[0], x.v[2]);
    say("%d", first((struct s){.a = await t_ev(6), .v = {1, 2, await t_ev(5)}}));
    say("%d", (struct s){.a = await t_ev(4)}.a + (t_pair){1, await t_ev(2)}.b);
    say("%d", (int[]){1, await t_ev(2), 3}[await t_ev(1)]);
    say("%d", await sum((int[]){await t_ev(1), await t_ev(2), await t_ev(3)}, 3));
    say("%d", (int){await t_ev(9)});
    /* alive to the end of the block */
    struct s *p = &(struct s){1, {2, 3}, {4, 5, 6}};
    int *v = (int[3]){7, 8, 9};
    await t_tick();
    p->a += v[1];
    await t_tick();
    say("%d %d %d", p->a, p->v[2], v[2]);
    /* initialised again each time it is reached; old ones live on in their block */
    int *kept[3];
    for (int i = 0; i < 3; i++) {
        int *q = &(int){i * 10};
        kept[i] = q;
        await t_tick();
        *q += await t_ev(1);
        say("%d", *kept[i]);
    }
    int rounds = 0;
    int *again_p;
again:
    again_p = &(int){5};
    say("fresh %d", *again_p);
    *again_p = 77 + await t_int(0);
    say("used %d", *again_p);
    if (rounds++ < 1)
        goto again;
    const char *s = await t_ev(0) ? NULL : (char[]){"literal"};
    await t_tick();
    say("%s", s);
    t_pair *list[2] = {&(t_pair){1, await t_ev(2)}, &(t_pair){await t_ev(3), 4}};
    await t_tick();
    say("%d %d", list[0]->b, list[1]->a);
    say("%d", await sum(({ &(int){33}; }), 0));
    struct chain {
        struct chain *next;
        int v;
    } *c = &(struct chain){&(struct chain){NULL, await t_ev(1)}, await t_ev(2)};
    await t_tick();
    say("%d %d", c->v, c->next->v);
    return 0;
}
