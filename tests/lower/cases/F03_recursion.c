/* SPDX-License-Identifier: MIT */
/*
 * F3, R16: direct and mutual recursion, several calls in one expression, recursion through
 * pointers.
 */
#include "leaf.h"

static async int fib(int n)
{
    if (n < 2)
        return await t_int(n);
    return await fib(n - 1) + await fib(n - 2);
}

static async int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return await ackermann(m - 1, 1);
    return await ackermann(m - 1, await ackermann(m, await t_int(n - 1)));
}

struct tree {
    int v;
    struct tree *left, *right;
};

static async int sum(const struct tree *t)
{
    return t == NULL ? 0 : await sum(t->left) + await t_int(t->v) + await sum(t->right);
}

static async t_big big_down(int n)
{
    t_big b = n ? await big_down(n - 1) : await t_mkbig(0);
    b.v[n % 12] += n;
    return b;
}

static async int by_pointer(int n, async int (*self)(int, void *), void *raw);
static async int step(int n, void *self)
{
    async int (*f)(int, void *) = *(async int (**)(int, void *))self;
    return n ? 1 + await f(n - 1, self) : await t_int(0);
}

static async int hanoi(int n, int from, int to, int via, int *moves)
{
    if (n == 0)
        return 0;
    int depth = await hanoi(n - 1, from, via, to, moves);
    ++*moves;
    await t_tick();
    return (depth > await hanoi(n - 1, via, to, from, moves) ? depth : depth) + 1;
}

async int test_main(void)
{
    say("%d %d", await fib(12), await ackermann(2, 3));
    struct tree a = {1, NULL, NULL}, b = {2, &a, NULL}, c = {4, NULL, NULL}, root = {8, &b, &c};
    say("%d", await sum(&root));
    t_big big = await big_down(30);
    say("%lld %lld", big.v[6], big.v[11]);
    async int (*f)(int, void *) = step;
    say("%d", await step(50, &f));
    int moves = 0;
    say("%d %d", await hanoi(6, 1, 3, 2, &moves), moves);
    return 0;
}
