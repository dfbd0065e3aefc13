/* SPDX-License-Identifier: MIT */
/* D12, D32, D33: arrays of variable size among clean-ups: each lives until those behind it have
 * run. */
// erased: gcc
// cancel: sweep
#include "leaf.h"

static async int drops(int n)
{
    int h __attribute__((cleanup(t_drop))) = t_take(n);
    int v[n];
    v[0] = await t_int(7);
    defer
    {
        v[0] = -1; /* still there */
    }
    int g __attribute__((cleanup(t_drop))) = t_take(v[0]);
    int w[v[0]];
    w[6] = await t_int(v[0]);
    if (w[6] == n)
        return 1;
    v[0]++;
    return w[6] + v[0];
}

static async int before_a_clean_up(int n)
{
    n += await t_int(1);
    int v[n];
    v[0] = n;
    defer
    {
        v[0]++;
    }
    return v[0];
}

async int test_main(void)
{
    say("%d", await drops(3));
    say("%d", await drops(7));
    say("%d", await before_a_clean_up(2));
    return 0;
}
