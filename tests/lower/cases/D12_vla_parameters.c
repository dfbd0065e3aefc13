/* SPDX-License-Identifier: MIT */
/* D12: parameters that point to arrays of variable size, in every way a function is called. */
#include "leaf.h"
#include <string.h>

async double trace(int n, double a[n][n]);
async void fill(int n, double (*a)[n], int base);
typedef async double (*op)(int n, double a[n][n]);
async double trace(int n, double a[n][n])
{
    double t = 0;
    for (int i = 0; i < n; i++)
        t += a[i][i] + await t_int(0);
    return t;
}
static double plain(int n, const double a[n][n])
{
    return a[n - 1][0];
}
async void fill(int n, double (*a)[n], int base)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            a[i][k] = base + await t_int(i * n + k);
}
static async int leafy(int n, int a[n][n])
{
    return a[1][1] + n;
}
static async int counted(int n, int (*rows)[n++][2], int m)
{
    rows[0][1][1] += m;
    await t_tick();
    return rows[0][n - 2][1] + n + (int)sizeof *rows;
}
static async double use(int n, op f)
{
    double m[n][n], other[n][n];
    double a, b;
    await aw_all(fill(n, m, 1), fill(n, other, 10));
    await aw_all(a = trace(n, m), b = f(n, other));
    double(*ptr)[n] = m;
    await aw_all(fill(n, ptr, 100));
    ptr++;
    int v[n][n];
    v[1][1] = await t_int(4);
    int w[2][n + 1][2];
    memset(w, 0, sizeof w);
    w[0][n - 1][1] = 9;
    aw_task *t = spawn(trace(n, m));
    double r = 0;
    await aw_join(t, &r);
    if (n > 2) {
        double(*late)[n];
        late = m;
        a += late[1][1];
    }
    a += await aw_blocking(plain(n, m));
    return a + b + ptr[0][0] + plain(n, m) + await leafy(n, v) + r +
           await counted(n, w, await t_int(1)) + (int)sizeof(double[n]) + await f(n, m);
}
static async int kept(int n, int (*rows)[n++][2], int m)
{
    rows[0][1][1] += m;
    await t_tick();
    return rows[0][n - 2][1] * 1000 + n * 100 + (int)sizeof *rows;
}

static async int kept_twice(int n, int rows[n++][n++], int m)
{
    rows[0][1] += m;
    await t_tick();
    return rows[0][n - 2] * 1000 + n * 100 + (int)sizeof *rows;
}

async int test_main(void)
{
    int w[2][4][2] = {{{0}}};
    say("%d %d %d", await kept(2, w, 4), await kept(3, w, 4), await kept_twice(3, w[0], 4));
    say("%g", await use(3, trace));
    say("%g", await use(2, trace));
    return 0;
}
