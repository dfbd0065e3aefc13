/* SPDX-License-Identifier: MIT */
/*
 * D31: arguments for a parameter of transparent union type that are kept across an await: read
 * through pointers, arrays, null, calls, conditions.
 */
#include "leaf.h"

typedef union {
    int *i;
    const char *c;
} any __attribute__((transparent_union));

static int first(any a, int n)
{
    return *a.i + n;
}

static async int given(any a, int n)
{
    await t_tick();
    return *a.i + n;
}

struct holder {
    int *at;
    int own[2];
};
static int *global;

async int test_main(void)
{
    int x = 5, y[2] = {7, 8};
    struct holder h = {&x, {9, 10}}, *p = &h;
    int **pp = &p->at;
    any whole = {.i = y};
    global = y;
    say("%d", first(p->at, await t_int(1)));
    say("%d", first(*pp, await t_int(2)));
    say("%d", first(global, await t_int(3)));
    say("%d", first(p->own, await t_int(4)));
    say("%d", first(x > 3 ? p->at : y, await t_int(5)));
    say("%d", first(whole, await t_int(6)));
    say("%d", await given(p->at, await t_int(7)) + await given(y, await t_int(8)));
    int a, b;
    await aw_all(a = given(p->own, x), b = given(whole, await t_int(2)));
    say("%d %d", a, b);
    return 0;
}
