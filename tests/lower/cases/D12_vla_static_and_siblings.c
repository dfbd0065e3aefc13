/* SPDX-License-Identifier: MIT */
/* D12: static pointers to arrays of variable size, and names of such types in sibling blocks. */
#include "leaf.h"
static int store[3][4];
typedef long T;
static async int next(int n)
{
    int m = n;
    {
        typedef int(*ptr)[m];
        ptr p = (void *)store;
        await t_tick();
        (*p)[0]++;
    }
    static int (*q)[m] = 0;
    q = q == 0 ? (int (*)[m])store : q + await t_int(1);
    await t_tick();
    (*q)[0] += 1;
    return (int)((int *)q - &store[0][0]);
}
static async int siblings(int n)
{
    int out = 0;
    { typedef char T[n]; T t; t[0] = (char)await t_int(1); out += t[0] + (int)sizeof t; }
    T a[n];
    a[1] = await t_int(5);
    { char T = 'x'; a[0] = T + await t_int(1); out += (int)sizeof a[0]; }
    return out + (int)(a[0] + a[1]);
}
async int test_main(void)
{
    say("%d", await next(4)); say("%d", await next(4)); say("%d", await next(4));
    say("%d %d %d", store[0][0], store[1][0], store[2][0]);
    say("%d", await siblings(3));
    return 0;
}
