/* SPDX-License-Identifier: MIT */
/*
 * 4: where nested forms may stand: several levels, in arguments of each other's calls, in every kind
 * of statement, in functions that call themselves, through pointers, beside clean-ups and macros.
 */
#include "leaf.h"

static async int quiet(int v)
{
    int r = await t_int(v);
    await t_tick();
    return r;
}

static int plain(int v)
{
    return v + 1;
}

static long long plain_wide(int v)
{
    return v;
}

static void note(const char *s, int v)
{
    (void)s;
    (void)v;
}

/* not declared before */
static async int tree(int depth, int v)
{
    int a = 0, b = 0, rc;
    if (depth == 0)
        return await t_int(v);
    rc = await aw_timeout(60000, aw_all(a = tree(depth - 1, v), aw_all(b = tree(depth - 1, v + 1))));
    return rc + a + b;
}

struct pack {
    int n;
};

async struct pack packed(int depth) __attribute__((noinline));
async struct pack packed(int depth)
{
    struct pack a = {depth}, b = {0};
    if (depth > 0)
        await aw_all(aw_all(a = packed(depth - 1)), aw_all(b = packed(depth - 1)));
    a.n += b.n + 1;
    return a;
}

static async int by_pointer(async int (*f)(int), async int (*g[2])(int), int v)
{
    int a = 0, b = 0, c = 0;
    extern async int t_int(int);
    await aw_all(aw_all(a = f(v), b = g[v & 1](v)), aw_all(c = t_int(v)));
    return a * 100 + b * 10 + c;
}

static async int deep(int v)
{
    int a = 0, b = 0, c = 0, d = 0, rc = -1, rc2 = -1, rc3 = -1;
    rc = await aw_try_all(rc2 = aw_timeout(60000, rc3 = aw_try_all(a = quiet(v), rc = aw_race(b = quiet(v + 1)))),
                          aw_timeout(60000, aw_all(c = quiet(v + 2), aw_all(d = aw_compute(plain(v + 2))))));
    say("%d %d %d: %d %d %d %d", rc, rc2, rc3, a, b, c, d);
    await aw_all(aw_all(aw_all(aw_all(aw_all(aw_all(a = quiet(v)))))));
    return a;
}

static async int in_arguments(int v)
{
    int a = 0, b = 0, c = 0, rc = 0;
    await aw_all(rc = aw_try_all(a = quiet(await aw_try_all(rc = aw_try_all(b = quiet(v)), quiet(0)) + b),
                                 c = quiet(({
                                     int t = 0;
                                     await aw_all(aw_all(t = quiet(7)));
                                     t;
                                 }))));
    return a * 10 + c + rc;
}

#define BOTH(x, y) aw_all(x = quiet(1), y = quiet(2))
#define AWAIT_BOTH(x, y) await aw_timeout(60000, BOTH(x, y))

static async int statements(int n)
{
    int x = 0, y = 0, rc = await aw_timeout(60000, x = aw_blocking(plain(n)));
    int list[] = {await aw_try_all(rc = aw_try_all(y = quiet(4))), [2] = AWAIT_BOTH(x, y)};
    if (await aw_try_all(aw_try_all(quiet(1))) || await aw_race(aw_all(x = quiet(1))))
        return -1;
    switch (await aw_race(rc = aw_race(x = quiet(3)))) {
    case 0:
        while (await aw_timeout(60000, rc = aw_timeout(60000, y = quiet(y - 1))) == 0 && y > 0)
            rc += y;
    }
    do {
        HOLD(5);
        HOLD(n + 100);
        await aw_all(aw_blocking(note("a", /* in a comment, b */ n)), aw_all(n = quiet(n - 1))); // aw_all(aw_all())
        if (n == 1)
            break;
    } while (n > 0);
    return (await aw_all(aw_all(x = quiet(8))), sizeof(await aw_try_all(rc = aw_try_all(quiet(1)))) == sizeof(int) &&
            sizeof(await aw_compute(plain_wide(x++))) == 8 && sizeof(spawn(quiet(x++))) == sizeof(void *))
               ? x + y + list[0] + list[1] + list[2] + rc
               : 0;
}

async int test_main(void)
{
    async int (*both[2])(int) = {quiet, t_int};
    say("%d", await tree(4, 1));
    say("%d", (await packed(3)).n);
    say("%d", await by_pointer(quiet, both, 3));
    say("%d", await deep(5));
    say("%d", await in_arguments(6));
    say("%d", await statements(3));
    return 0;
}
