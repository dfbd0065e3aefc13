/* SPDX-License-Identifier: MIT */
/*
 * D12, D20: variable-length arrays with no await in their scope, array parameters with sizes,
 * awaits in bounds.
 */
#include "leaf.h"

static async int total(int n, const int v[static 1], int m[n][2])
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * await t_ev(m[i][1]);
    return sum;
}

static async int work(int n)
{
    int kept = await t_ev(n);
    {
        int v[n];
        for (int i = 0; i < n; i++)
            v[i] = i * i;
        int(*p)[n] = &v;
        typedef int row[n];
        kept += (*p)[n - 1] + (int)(sizeof v / sizeof v[0]) + (int)(sizeof(row) / sizeof(int));
    }
    await t_tick();
    for (int round = 0; round < 2; round++) {
        {
            char text[kept + 1];
            snprintf(text, sizeof text, "%0*d", kept - 1, round);
            say("%zu %s", sizeof text, text);
            if (round == 1 && n > 3)
                break;
        }
        await t_tick();
    }
    return kept;
}

static async int size_only(int n)
{
    int size = (int)sizeof(int[n]);
    await t_tick();
    return size + (int)sizeof(int[n + 1]);
}

async int test_main(void)
{
    int v[3] = {1, 2, 3}, m[3][2] = {{0, 1}, {0, 2}, {0, 3}};
    say("%d", await total(3, v, m));
    say("%d %d", await work(3), await work(4));
    say("%d", await size_only(4));
    return 0;
}
