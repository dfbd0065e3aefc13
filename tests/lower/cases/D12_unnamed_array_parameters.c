/* SPDX-License-Identifier: MIT */
/* D12: parameters without names that are written as arrays, their sizes' effects included. */
#include "leaf.h"

static int counted;

static async int ignores(int n, int[4], char *[n], const int (*)[3], int[counted++], double[n][n])
{
    return await t_int(n);
}

async int test_main(void)
{
    int v[4] = {1, 2, 3, 4}, w[2][3] = {{1}};
    double m[2][2] = {{0}};
    char *names[2] = {"a", "b"};
    say("%d", await ignores(2, v, names, w, v, m));
    say("%d", counted);
    return 0;
}
