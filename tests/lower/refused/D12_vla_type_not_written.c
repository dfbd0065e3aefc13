/* SPDX-License-Identifier: MIT */
/* D12: types of variable size that cannot be written again where the variable is used. */
#include "leaf.h"

static void drop(int (*v)[4])
{
    (**v)++;
}

static async int follows(int n, int grid[n][n])
{
    __auto_type row = grid; // expect-error: awaitc-vla-across-await
    await t_tick();
    return (*row)[0];
}

static async int does_something(int n, int grid[n][n])
{
    __typeof__(*grid++) row; // expect-error: awaitc-vla-across-await
    row[0] = await t_int(n);
    return row[0];
}

static async int cleans_up(int n)
{
    int v[n] __attribute__((cleanup(drop))); // expect-error: awaitc-vla-across-await
    v[0] = await t_int(n);
    return v[0];
}

static async int named_again(int n)
{
    enum { WIDE = 2 };
    int v[n][WIDE]; // expect-error: awaitc-vla-across-await
    v[0][0] = await t_int(n);
    {
        int WIDE = 3;
        v[0][1] = WIDE;
    }
    return v[0][0] + v[0][1];
}

async int test_main(void)
{
    int m[2][2] = {{1, 2}, {3, 4}};
    return await follows(2, m) + await does_something(2, m) + await cleans_up(4) + await named_again(2);
}
