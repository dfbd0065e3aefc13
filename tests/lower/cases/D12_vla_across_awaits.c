/* SPDX-License-Identifier: MIT */
/*
 * D12, D20, E25: arrays of variable size, pointers to them and typedefs of them in scope at awaits:
 * sizes are those of the declaration, storage lives to the end of the scope.
 */
#include "leaf.h"
#include <string.h>

static async int one(int n)
{
    int v[n];
    for (int i = 0; i < n; i++)
        v[i] = await t_int(i * i);
    n = 1; /* the size stays */
    int sum = 0;
    for (size_t i = 0; i < sizeof v / sizeof v[0]; i++)
        sum += v[i] * await t_int(2);
    return sum + n;
}

static async long two_dimensions(int n, int m)
{
    long grid[n][m + 1];
    memset(grid, 0, sizeof grid);
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= m; k++)
            grid[i][k] += await t_int(i * 10 + k);
    long(*row)[m + 1] = grid + 1;
    await t_tick();
    long total = (*row)[1] + row[-1][m] + (long)(sizeof grid / sizeof grid[0]);
    for (long(*p)[m + 1] = grid; p < grid + n; p++)
        total += (*p)[await t_int(m)];
    long *flat = &grid[0][0];
    grid[await t_int(0)][await t_int(1)] += await t_int(5);
    return total + flat[1] + (long)sizeof *row;
}

static async int bound_awaits(int n)
{
    char text[await t_int(n) + 1][await t_int(3)], other[n + 2], *end = other + n;
    strcpy(other, "0123456789" + (10 - n));
    *end++ = '!';
    *end = 0;
    await t_tick();
    memcpy(text[n], "ab", 3);
    say("%s %s %zu %zu", other, text[n], sizeof text, sizeof other);
    return (int)(end - other);
}

static async int typedefs(int n)
{
    typedef int row[n], (*rows)[n];
    row a, b[2];
    int k = n++;
    rows p = &a;
    for (int i = 0; i < k; i++)
        a[i] = b[0][i] = b[1][i] = await t_int(i + 1);
    p = b + await t_int(1);
    (*p)[0] = 40;
    row *q = p - 1;
    q[1][1] += 2;
    __typeof__(a) c;
    memcpy(c, b[1], sizeof c);
    await t_tick();
    {
        typedef char row; /* another one */
        row x = 'x';
        await t_tick();
        say("%c %zu", x, sizeof(row));
    }
    return c[0] + c[1] + (int)(sizeof(row) / sizeof(int)) + (int)sizeof(b) + (**p) + p[0][1];
}

static async double dot(int n, double a[n][n], double (*b)[n], const double scale[static n])
{
    double sum = 0;
    n += 0 * await t_int(1);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            sum += a[i][k] * b[k][i] * scale[k];
        await t_tick();
    }
    a++; /* a pointer, after all */
    sum += a[0][0] + (double)sizeof *a + (*b++)[0];
    await t_tick();
    return sum + b[0][1];
}

static async double matrices(int n)
{
    double m[n][n], scale[n];
    for (int i = 0; i < n; i++) {
        scale[i] = await t_f64(i + 1);
        for (int k = 0; k < n; k++)
            m[i][k] = i + await t_int(k);
    }
    return await dot(n, m, m, scale) + await dot(await t_int(n), m, &m[0], scale);
}

static async int scopes(int n)
{
    int sum = 0;
    for (int i = 1; i <= n; i++) {
        short v[i];
        v[i - 1] = (short)await t_int(i);
        if (i == 2)
            continue;
        if (i == 4)
            break;
        short(*p[2])[i] = {&v, 0};
        p[1] = p[0];
        sum += (*p[1])[i - 1] + await t_int(1);
        if (i > 90)
            goto out;
    }
    {
    again:;
        unsigned char w[sum + 1];
        w[sum] = (unsigned char)sum;
        if (await t_int(w[sum]++) < 7) {
            sum++;
            goto again;
        }
        sum += w[sum];
    }
    switch (sum) {
    default: {
        int z[sum];
        z[1] = await t_int(1);
        sum += z[1];
        break;
    }
    case 0:
        sum = -1;
    }
out:
    return sum;
}

static int plain(int n, int a[][n], int k)
{
    return a[1][k] + (int)sizeof a[0];
}

static async int expressions(int n)
{
    int v[n][n], k = 0, *p = *v;
    for (int i = 0; i < n * n; i++)
        *p++ = i;
    int x = v[await t_int(1)][k++] + (v + await t_int(1))[0][await t_int(1)] + **v;
    x += *(*(v + 1) + await t_int(0)) + (&v[0])[await t_int(1)][0];
    int(*row)[n] = v, (*pick)[n];
    x += (await t_int(1) ? row : v)[1][await t_int(1)];
    row = v;
    pick = (row++, row + await t_int(1));
    row--;
    x += (*pick)[0] + (row + await t_int(1))[0][2] + *(*(row + await t_int(0)) + await t_int(1));
    pick--;
    x += (*pick)[await t_int(0)] + (*row++)[await t_int(1)];
    x += ((int(*)[n])v)[await t_int(1)][await t_int(1)];
    (*pick)[await t_int(1)] += await t_int(100);
    v[k][await t_int(0)]++;
    int(**pp)[n] = &pick;
    row = v;
    x += (*pp)[await t_int(-1)][await t_int(2)] + (pp[0] - await t_int(1))[0][1] +
         (**pp)[await t_int(1)];
    x += plain(n, v + await t_int(1), await t_int(2)) + plain(n, row++, await t_int(1));
    x += (int)(row + await t_int(1) - (v + await t_int(1)));
    int(*set)[n] = await t_int(1) ? &v[await t_int(1)] : v;
    x += (set = v + await t_int(1))[await t_int(0)][await t_int(1)] + (*set)[await t_int(2)];
    x += ((int(*)[n])(void *)v + await t_int(1))[await t_int(1)][await t_int(2)];
    return x + v[1][1] * v[1][0] + (row - v) + ({
               int t[k + 1];
               t[k] = await t_int(3);
               t[k];
           });
}

static async int tags(int n)
{
    struct pt {
        int x, y;
    } pts[n], one = {1, 2}, *q = pts;
    struct {
        char c;
    } anon[n][2], first = {'f'};
    enum { RED = 3, BLUE } colours[n];
    const int fixed[n], *volatile end = fixed + n;
    _Alignas(64) char line[n];
    int many[n] __attribute__((aligned(128)));
    pts[0] = one;
    anon[n - 1][1].c = first.c;
    colours[1] = BLUE;
    await t_tick();
    q->y += colours[1] + RED;
    say("%d %d", (int)((uintptr_t)line % 64), (int)((uintptr_t)many % 128));
    return pts[0].y + anon[n - 1][1].c + (int)(end - fixed) + (int)sizeof line + (int)sizeof many;
}

async int test_main(void)
{
    say("%d %d", await one(4), await one(1));
    say("%ld", await two_dimensions(3, 4));
    say("%d", await bound_awaits(3));
    say("%d", await typedefs(3));
    say("%g", await matrices(3));
    say("%d %d", await scopes(3), await scopes(9));
    say("%d", await expressions(3));
    say("%d", await tags(5));
    return 0;
}
