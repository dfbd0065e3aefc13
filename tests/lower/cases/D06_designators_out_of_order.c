/* SPDX-License-Identifier: MIT */
/* D6, E27: designated initialisers are evaluated in the order of the text; an overridden one is not. */
// erased: none
#include "leaf.h"

struct s {
    int a;
    t_pair p;
    int v[3];
};

async int test_main(void)
{
    int w[] = {[3] = await t_ev(4), [1] = await t_ev(2), 99, [0] = p_ev(7)};
    say("%d %d %d %d", w[0], w[1], w[2], w[3]);
    struct s s = {.v = {[2] = await t_ev(5), [0] = await t_ev(6)}, .p.b = await t_ev(1), .a = await t_ev(3)};
    say("%d %d %d %d %d", s.a, s.p.b, s.v[0], s.v[1], s.v[2]);
    s = (struct s){.p = {.b = await t_ev(8), .a = await t_ev(9)}, .a = p_ev(10)};
    say("%d %d %d", s.a, s.p.a, s.p.b);
    int over[3] = {[1] = await t_ev(100), [1] = await t_ev(11), [0] = 1};
    say("%d %d", over[0], over[1]);
    struct s again = {.a = await t_ev(200), .p = {await t_ev(12), 2}, .a = await t_ev(13)};
    say("%d %d", again.a, again.p.a);
    return 0;
}
