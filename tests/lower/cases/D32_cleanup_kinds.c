/* SPDX-License-Identifier: MIT */
/*
 * D32: cleanup on structs, pointers, arrays, parameters' copies, conditionally reached ones; the
 * function's effects are seen.
 */
#include <stdlib.h>
#include "leaf.h"

static int frees;

static void free_int(int **p)
{
    say("free %d", *p ? **p : -1);
    free(*p);
    frees++;
}

static void done_pair(t_pair *p)
{
    say("pair %d %d", p->a, p->b);
}

static void done_array(int (*a)[3])
{
    say("array %d %d", (*a)[0], (*a)[2]);
}

static void done_const(const int *p)
{
    say("const %d", *p);
}

#define AUTO_FREE __attribute__((__cleanup__(free_int)))

static async int work(int n)
{
    AUTO_FREE int *p = malloc(sizeof *p);
    *p = await t_ev(n);
    if (n == 1)
        return *p;
    AUTO_FREE int *q = NULL, *r = malloc(sizeof *r);
    *r = 77;
    __attribute__((cleanup(done_pair))) t_pair pair = await t_mkpair(n, 2), other = {n, await t_ev(3)};
    int a[3] __attribute__((cleanup(done_array))) = {1, await t_ev(2), 3};
    const int c __attribute__((cleanup(done_const))) = await t_ev(8);
    pair.a += a[1];
    await t_tick();
    if (n == 2) {
        int *stolen = r;
        r = NULL;
        free(stolen);
        return c;
    }
    q = malloc(sizeof *q);
    *q = await t_ev(5);
    return *q + other.b;
}

async int test_main(void)
{
    for (int i = 1; i < 4; i++)
        say("= %d", await work(i));
    {
        AUTO_FREE int *p = malloc(sizeof *p);
        *p = 9;
        {
            AUTO_FREE int *p = malloc(sizeof *p);
            *p = await t_ev(10);
        }
        await t_tick();
    }
    for (int i = 0; i < 2; i++) {
        AUTO_FREE int *p = NULL;
        if (await t_ev(i))
            continue;
        p = malloc(sizeof *p);
        *p = i;
    }
    return frees;
}
