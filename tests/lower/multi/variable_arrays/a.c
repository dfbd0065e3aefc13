/* SPDX-License-Identifier: MIT */
/* D12: functions of another file that take arrays of variable size, by name and by pointer. */
#include "grid.h"

static async int work(const struct grid_ops *ops, int n)
{
    int grid[n][n + 1], square[n][n];
    int sum;
    await grid_fill(n, n + 1, grid, 1);
    await aw_all(grid_fill(n, n, square, 5), sum = grid_sum(n, n + 1, grid));
    sum = sum * 100 + await ops->sum(n, n, square);
    return sum * 100 + await grid_corner(n, square);
}

async int test_main(void)
{
    const struct grid_ops ops = {grid_sum};
    say("%d %d", await work(&ops, 2), await work(&ops, 3));
    return 0;
}
