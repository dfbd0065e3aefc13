/* SPDX-License-Identifier: MIT */
/* D7: a name in its own initialiser. */
#include <stdlib.h>
#include "leaf.h"

struct node {
    struct node *self;
    int v;
    int *pv;
};

async int test_main(void)
{
    struct node n = {.self = &n, .v = await t_ev(3), .pv = &n.v};
    await t_tick();
    say("%d %d", n.self == &n, *n.self->pv);
    int *p = malloc(await t_int(2) * sizeof *p);
    p[1] = await t_ev(4);
    say("%d", p[1]);
    free(p);
    void *vp = &vp;
    await t_tick();
    say("%d", vp == &vp);
    int size = sizeof size, again = await t_int((int)sizeof again + size);
    say("%d %d", size, again);
    struct node ring[3] = {{&ring[1], 1, 0}, {&ring[2], await t_ev(2), 0}, {&ring[0], 3, 0}};
    await t_tick();
    say("%d", ring[0].self->self->self->v + ring[0].self->v);
    for (struct node *q = &(struct node){q = NULL, await t_ev(1), 0}; q; q = q->self)
        say("q %d", q->v);
    return 0;
}
