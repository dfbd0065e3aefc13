/* SPDX-License-Identifier: MIT */
/*
 * D6, D18: arrays whose initialiser gives their size, of types that the function defines: across
 * awaits, with awaits among the elements, in parentheses, by a typedef, of two dimensions.
 */
#include "leaf.h"

static async int f(int x)
{
    struct B {
        int a;
        const char *z;
    } t[] = {{1, "a"}, {2, "b"}, {3, "c"}};
    struct {
        int q;
    } u[] = {{await t_int(7)}, {8}}, v[2] = {{1}}, (w[]) = {[4] = {await t_int(5)}};
    typedef struct B many[];
    many m = {{await t_int(4), "x"}, {5, "y"}};
    enum L { LA, LB } e[] = {LA, LB, LB};
    struct B tt[][2] = {{{1, "a"}}, {{2, "b"}, {await t_int(6), "c"}}, {{9, "k"}}};
    struct B *pp[] = {t, m};
    union {
        int i;
        char c[4];
    } un[] = {{1}, {await t_int(2)}};
    int n = 0;
    for (unsigned i = 0; i < sizeof(t) / sizeof(t[0]); i++)
        n += await t_int(t[i].a);
    for (unsigned i = 0; i < sizeof(m) / sizeof(m[0]); i++)
        n += await t_int(m[i].a) * 10;
    for (unsigned i = 0; i < sizeof(tt) / sizeof(tt[0]); i++)
        n += await t_int(tt[i][1].a) * 100;
    await t_tick();
    say("%d %d %s %s", (int)(sizeof w / sizeof w[0]), w[4].q, t[2].z, tt[2][0].z);
    return n + x + u[0].q + v[0].q + (int)e[2] + pp[1][0].a + un[1].i;
}

/* The same, of which nothing is needed after an await. */
static async int g(int x)
{
    struct P {
        int a;
    } t[] = {{x}, {2}};
    typedef struct P many[];
    many m = {{await t_int(4)}, {5}, {6}};
    int sum = t[1].a + m[2].a + (int)(sizeof m / sizeof *m);
    return sum + await t_int(1);
}

async int test_main(void)
{
    say("%d %d", await f(1), await g(2));
    return 0;
}
