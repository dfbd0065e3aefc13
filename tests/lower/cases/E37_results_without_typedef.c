/* SPDX-License-Identifier: MIT */
/* E37: functions whose results are pointers to functions and arrays, spelled without a typedef. */
#include "leaf.h"

static int up(int x)
{
    return x + 1;
}

static int down(int x)
{
    return x - 1;
}

static async int (*choose(int which))(int)
{
    int (*const all[])(int) = {down, up};
    return all[await t_int(which)];
}

static async int (*(*second(int which, int k))(int))(int);

static async int (*table(int row))[3]
{
    static int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    await t_tick();
    return m + row;
}

async char *(*names(void))(int);

static char *nth(int n)
{
    static char s[3][2] = {"a", "b", "c"};
    return s[n];
}

async char *(*names(void))(int)
{
    await t_tick();
    return nth;
}

static int (*inner(int k))(int)
{
    return k ? up : down;
}

static async int (*(*second(int which, int k))(int))(int)
{
    await t_tick();
    return which + k ? inner : 0;
}

async int test_main(void)
{
    int (*f)(int) = await choose(await t_int(1));
    say("%d %d", f(1), (await choose(0))(await t_int(5)));
    say("%d", (await table(1))[0][2]);
    say("%s", (await names())(2));
    say("%d", (await second(1, 0))(0)(9));
    return 0;
}
