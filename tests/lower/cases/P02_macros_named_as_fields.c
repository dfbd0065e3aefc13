/* SPDX-License-Identifier: MIT */
/* P2: macros named as the fields and parameters of emitted text. */
// erased: gcc
#include "leaf.h"
#define pending 3
#define parent  4
#define ret     5
#define at      6
#define leaf    7
#define lim     8
#define cancel  9
#define state   10
#define func    11
#define line    12
#define file    13
#define resume  14
#define code    15
#define flags   16
#define poll    17
#define frame   18
#define site    19
#define c       20
#define f       21

#define noinline 23
#define aligned  24
#define need     25
#define start    26

#define st        28
#define fp        29
#define a         30
#define args      31
#define room      32
#define stk       33
#define head      34
#define result    35
#define left      36
#define linux     37
#define offsetof  nothing
#define uintptr_t nothing
#define size_t    nothing
#define NULL      nothing
static async int one(int x)
{
    int y = await t_ev(x + pending + parent + ret + at);
    return y + c + f;
}
static async int deep(int x)
{
    return x == 0 ? await one(1) : 1 + await deep(x - 1);
}
async int extern_one(int x, t_big b)
{
    await t_tick();
    return x + (int)b.in.lo;
}
static async void grp(void)
{
    int r1, r2;
    await aw_all(r1 = one(1), r2 = deep(2));
    say("%d %d", r1, r2);

    aw_task *t = spawn(one(9));
    int q = 0;
    int rc = await aw_join(t, &q);
    say("join %d %d", rc, q);
    rc = await aw_timeout(100000, r1 = deep(3));
    say("timeout %d %d", rc, r1);
    int (*h)(int) = 0;
    (void)h;
    t_big b = await t_mkbig(3);
    say("%d", await extern_one(c, b));
    {
        defer
        {
            say("deferred %d", left);
        }
        await t_tick();
    }
}
static int plain(int x)
{
    return x + 1;
}
async int test_main(void)
{
    await grp();
    say("%d", await aw_blocking(plain(4)));
    return linux;
}
