/* SPDX-License-Identifier: MIT */
#ifndef GRID_H
#define GRID_H

#include "leaf.h"

async int grid_sum(int rows, int columns, int grid[rows][columns]);
async void grid_fill(int rows, int columns, int (*grid)[columns], int from);

static inline async int grid_corner(int n, int grid[n][n])
{
    int last[n];
    for (int i = 0; i < n; i++)
        last[i] = await t_int(grid[n - 1][i]);
    return last[n - 1];
}

struct grid_ops {
    async int (*sum)(int rows, int columns, int grid[rows][columns]);
};

#endif
