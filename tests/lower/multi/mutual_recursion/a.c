/* SPDX-License-Identifier: MIT */
/*
 * F3: recursion that crosses files, deep enough to leave the first piece of stack, and cancelled in
 * the middle.
 */
// cancel: sweep
#include "leaf.h"

async int pong(int n);
async int ping(int n);

async int ping(int n)
{
    HOLD(n);
    if (n == 0)
        return await t_int(0);
    return await pong(n - 1) + 1;
}

static async int deep(int n)
{
    int local = n;
    int *p = &local;
    int r = n ? await pong(-n) : await t_int(7);
    return r + *p;
}

async int from_b(int n)
{
    return await deep(n);
}

async int test_main(void)
{
    say("%d", await ping(4));
    say("%d", await from_b(300));
    return 0;
}
