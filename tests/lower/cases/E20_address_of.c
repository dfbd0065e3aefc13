/* SPDX-License-Identifier: MIT */
/* E20: & of a place that an await picks. */
#include "leaf.h"

struct cell {
    int v;
    int w[3];
};

async int test_main(void)
{
    struct cell c[3] = {{1, {1, 2, 3}}, {2, {4, 5, 6}}, {3, {7, 8, 9}}};
    int a[4] = {10, 20, 30, 40};
    int *p = &a[await t_ev(2)];
    *p += 1;
    int *q = &c[await t_ev(1)].w[await t_ev(2)];
    *q = 66;
    struct cell *r = &*(struct cell *)await t_ptr(&c[2]);
    r->v = 33;
    int *s = &(*(struct cell *)await t_ptr(c)).w[1];
    int(*whole)[3] = &c[await t_ev(0)].w;
    say("%d %d %d %d %zu", a[2], c[1].w[2], c[2].v, *s, sizeof *whole);
    await t_tick();
    say("%d %d", (*whole)[await t_ev(1)], (int)(&a[await t_int(3)] - &a[await t_int(1)]));
    int **pp = &(int *){await t_evp("lit", &a[3])};
    say("%d", **pp);
    return (int)(p - a);
}
