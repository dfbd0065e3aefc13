/* SPDX-License-Identifier: MIT */
/* D25, E36: alignas and aligned types above what malloc gives, in recursion and by pointer. */
// native
#include <stdint.h>
#include "leaf.h"

typedef struct {
    _Alignas(64) char line[64];
} cache_line;
typedef double v4d __attribute__((vector_size(32)));

static int aligned(const void *p, unsigned to)
{
    return (uintptr_t)p % to == 0;
}

static async int deep(int n, cache_line given)
{
    char odd = (char)n;
    _Alignas(128) int x = n;
    cache_line line = {{(char)n}};
    v4d v = {n, n, n, n};
    __attribute__((aligned(32))) char bytes[5] = "abcd";
    int *p = &x;
    say("%d %d %d %d %d", aligned(&x, 128), aligned(&line, 64), aligned(&v, 32), aligned(bytes, 32), aligned(&given, 64));
    await t_tick();
    int below = n ? await deep(n - 1, line) : 0;
    say("%d %d", aligned(p, 128) && p == &x, aligned(&line, 64) && aligned(bytes, 32));
    v += 1;
    await t_tick();
    return below + *p + line.line[0] + (int)v[3] + odd + bytes[4] + given.line[0];
}

async int test_main(void)
{
    cache_line first = {{3}};
    say("%d", await deep(3, first));
    return 0;
}
