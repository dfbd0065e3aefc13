/* SPDX-License-Identifier: MIT */
/* D12, D19: names in the type of an array of variable size that an inner block declares again. */
#include "leaf.h"

typedef long number;
struct item {
    int id;
    char name[12];
};

static async long inner(int n, number grid[n][n], const struct item (*items)[n])
{
    number v[n];
    struct item list[n], (*at)[n] = &list;
    typedef struct item row[n];
    row rows;
    v[1] = await t_int(5);
    {
        typedef char number;
        struct item {
            char c;
        } other = {'x'};
        number c = (number)await t_int('c');
        v[0] = (long)sizeof v[0] + (long)sizeof grid[0][0] + c;
        list[1].id = await t_int(7);
        (*at)[0].id = other.c + (*items)[0].id;
        rows[1].id = await t_int((int)(sizeof rows / sizeof rows[0]));
    }
    number w[n];
    w[0] = await t_int(3);
    int number = 4;
    v[1] += number + w[0] + await t_int(1);
    return v[0] + v[1] + list[0].id + list[1].id + grid[1][0] + rows[1].id + (*items)[1].id;
}

async int test_main(void)
{
    number grid[2][2] = {{1, 2}, {3, 4}};
    struct item items[2] = {{8, "a"}, {9, "b"}};
    say("%ld", await inner(2, grid, &items));
    return 0;
}
