/* SPDX-License-Identifier: MIT */
#include "grid.h"

async int grid_sum(int rows, int columns, int grid[rows][columns])
{
    int sum = 0, columns_seen[columns];
    for (int k = 0; k < columns; k++)
        columns_seen[k] = 0;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++)
            columns_seen[k] += await t_int(grid[i][k]);
    for (int k = 0; k < columns; k++)
        sum += columns_seen[k];
    return sum;
}

async void grid_fill(int rows, int columns, int (*grid)[columns], int from)
{
    for (int(*row)[columns] = grid; row < grid + rows; row++)
        for (int k = 0; k < columns; k++)
            (*row)[k] = await t_int(from++);
}
