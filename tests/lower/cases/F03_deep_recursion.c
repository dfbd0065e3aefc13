/* SPDX-License-Identifier: MIT */
/*
 * F3, R16: a million calls deep on a stack of 1 MiB, resumed at the bottom, and with struct
 * results.
 */
// stack-kib: 1024
// erased: none
// timeout: 120
// no-sanitize
#include "leaf.h"

static async long long down(long long n)
{
    long long here = n & 7;
    if (n == 0) {
        await t_tick();
        await t_tick();
        return 1;
    }
    long long below = await down(n - 1);
    return below + here;
}

static async int even(int n);
static async int odd(int n)
{
    int keep = n & 1;
    return n == 0 ? await t_int(0) : await even(n - 1) * keep + !keep * await even(n - 1);
}

static async int even(int n)
{
    if (n == 0)
        return await t_int(1);
    async int (*next)(int) = odd;
    int r = await next(n - 1);
    return r;
}

static async t_pair pairs(int n)
{
    if (n == 0)
        return await t_mkpair(1, 2);
    t_pair p = await pairs(n - 1);
    p.a += n & 1;
    return p;
}

async int test_main(void)
{
    say("%lld", await down(1000000));
    say("%d", await odd(1));
    t_pair p = await pairs(200000);
    say("%d %d", p.a, p.b);
    return 0;
}
