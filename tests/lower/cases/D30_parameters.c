/* SPDX-License-Identifier: MIT */
/*
 * D30, D31, D12: parameters that the body changes, unnamed and unused ones, structs by value,
 * arrays, functions, unions.
 */
#include "leaf.h"

typedef union {
    int *i;
    float *f;
} any __attribute__((transparent_union));
typedef int v4 __attribute__((vector_size(16)));

static async int all(int a, t_pair p, t_big big, const int v[], int m[][2], int f(int), any u, v4 vec)
{
    a += await t_ev(1);
    p.b *= await t_ev(2);
    big.v[3] += a;
    t_pair *pp = &p;
    await t_tick();
    pp->a++;
    v++;
    vec[1] += await t_ev(3);
    say("%d %d %d %lld %d %d %d %d", a, p.a, p.b, big.v[3], v[0], m[1][0], f(9), vec[1]);
    return *u.i + (int)sizeof v;
}

static async int unnamed(int a, __attribute__((unused)) int b)
{
    await t_tick();
    return a;
}

static async int no_params()
{
    return await t_ev(3);
}

static int raised(int *m)
{
    return ++*m;
}

/* A struct that cannot be assigned, since members of members are const. */
typedef int (*const fixed[2])(int);
struct table {
    int offset;
    fixed of;
};

static int twice(int v)
{
    return v * 2;
}

static int negated(int v)
{
    return -v;
}

static async int looked_up(const struct table t, int i)
{
    int v = await t_int(i);
    return t.of[i](v + t.offset);
}

static async int depth(const struct table t, int i)
{
    return i == 0 ? await looked_up(t, 0) : await depth(t, i - 1) + await looked_up(t, 1);
}

/* The bounds of array parameters are evaluated once, when the function starts. */
static async int bounds(int n, int a[n++], int m, int b[raised(&m)])
{
    await t_tick();
    return n * 100 + m * 10 + a[0] + b[1];
}

async int test_main(void)
{
    say("%d", await depth((struct table){3, {twice, negated}}, 2));
    say("%d", await bounds(1, (int[]){3}, 4, (int[]){5, 6}));
    int v[3] = {1, 2, 3}, m[2][2] = {{1, 2}, {3, 4}}, x = 40;
    t_pair p = {1, 5};
    t_big b = await t_mkbig(1);
    say("%d", await all(v[0], p, b, v, m, p_ev, &x, (v4){1, 2, 3, 4}) - (int)sizeof(int *));
    say("%d %d %lld", p.a, p.b, b.v[3]);
    say("%d %d", await unnamed(4, 5), await no_params());
    return 0;
}
