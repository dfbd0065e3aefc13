/* SPDX-License-Identifier: MIT */
/* D12: constant sizes of arrays of variable size stay constants. */
#include "leaf.h"
enum { WIDE = 6 };
static async int constants(int n)
{
    enum { LOCAL = 3 };
    int a[n][(unsigned)(WIDE * 2 - 1) % 7u + sizeof(short) - 2 + (LOCAL > 2 && 1)];
    static int kept[sizeof a[0] / sizeof(int)];
    _Static_assert(sizeof a[0] == 5 * sizeof(int), "constant");
    int (*row)[sizeof a[0] / sizeof(int)] = a;
    int b[n][sizeof *row / 4][n];
    row[0][1] = await t_int(4);
    kept[4]++;
    b[1][4][0] = await t_int(9);
    switch (sizeof *row) { case sizeof a[0]: kept[4]++; break; default: return -1; }
    int (*p)[5][n] = b;
    int (*q)[n] = p[1];
    await t_tick();
    return kept[4] + (*row)[1] + (int)sizeof b + q[4][0] + (int)sizeof(kept);
}
async int test_main(void)
{
    say("%d", await constants(3));
    return 0;
}
