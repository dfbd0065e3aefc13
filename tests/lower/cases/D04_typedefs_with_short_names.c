/* SPDX-License-Identifier: MIT */
/* D4: typedefs named as the parameters of generated functions; declarations that spell one type in
 * several ways. */
#include "leaf.h"
typedef int c;
typedef short h;
typedef long st;
typedef struct {
    int q;
} v;
typedef double g;
typedef char a;
typedef unsigned fp;
typedef float code;
typedef int *poll;
typedef long long a1;
typedef struct {
    int w[9];
} args;
typedef short w;
typedef int n;
typedef int i;
typedef int job;
typedef int task;
typedef int s;
typedef int p;
typedef int f9;
async c f1(c x, h y, st z);
async c f1(c x, h y, st z)
{
    await t_tick();
    return x + y + (c)z;
}
static async v f2(v x, g y, a z)
{
    v r = x;
    await t_tick();
    r.q += (int)y + z;
    return r;
}
async args f3(args x, fp y, code z, poll q, a1 r)
{
    await t_tick();
    x.w[0] += (int)y + (int)z + *q + (int)r;
    return x;
}
static async poll f4(poll x)
{
    await t_tick();
    return x;
}
async s f5(p x, f9 y, i z, n q, job r, task t, w u)
{
    return await t_int(x + y + z + q + r + t + u);
}
static c pl(c x, v y)
{
    return x + y.q;
}
static async void grp(void)
{
    c x;
    v y;
    args z;
    await aw_all(x = f1(1, 2, 3), y = f2((v){1}, 2, 3), z = f3((args){{1}}, 2, 3, &(int){4}, 5));
    say("%d %d %d", x, y.q, z.w[0]);
    aw_task *t = spawn(f1(4, 5, 6)), *u = spawn(f3(z, 1, 2, &(int){4}, 3));
    await aw_join(t, &x);
    await aw_join(u, &z);
    say("%d %d", x, z.w[0]);
    say("%d", await aw_blocking(pl(x, y)));
    say("%d", await aw_timeout(100000, y = f2(y, 1, 1)));
    async c (*q)(c, h, st) = f1;
    say("%d", await q(1, 1, 1));
    say("%d", *await f4(&x) + await f5(1, 2, 3, 4, 5, 6, 7));
}
static async int f(int f)
{
    int g = f;
    await t_tick();
    return g + f;
}
static async int r(const int x, register int y, int z __attribute__((unused)), int (*const cb)(int),
                   int arr[const 2], const char *restrict s, int[3]);
static int cbk(int x)
{
    return x;
}
static async int r(int x, int yy, int zz, int cb(int), int *arr, const char *s, int un[])
{
    await t_tick();
    x++;
    arr++;
    yy += cb(x);
    await t_tick();
    return x + yy + arr[0] + s[0] + un[0];
}
async int outer_decl(int);
static async int uses_block_decl(void)
{
    async int outer_decl(int);
    extern async int t_int(int);
    return await outer_decl(2) + await t_int(1);
}
async int outer_decl(int x)
{
    return await t_int(x * 2);
}
async int test_main(void)
{
    await grp();
    say("%d", await f(3));
    say("%d", await r(1, 2, 3, cbk, (int[]){1, 2}, "a", (int[]){7, 8, 9}));
    say("%d", await uses_block_decl());
    return 0;
}
