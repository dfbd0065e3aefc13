/* SPDX-License-Identifier: MIT */
/* D4: locals that hide the names of types which temporaries and frames need. */
#include "leaf.h"
#include <string.h>
typedef struct {
    int a, b, c;
} trip;
struct s {
    int x, y, z;
};
enum e { E0, E1, E2 };
typedef unsigned char u8;
static async trip mk(int a)
{
    await t_tick();
    return (trip){a, a + 1, a + 2};
}
static int sum3(trip t, int k, trip u)
{
    return t.a * 100 + k * 10 + u.c;
}
static async int typedef_shadowed(void)
{
    trip trip = await mk(3);
    int r = sum3(trip, await t_ev(4), trip);
    return r + trip.b;
}
static async int typedef_shadowed2(void)
{
    trip v = await mk(7);
    int u8 = 4;
    {
        int trip = 5;
    r:;
        int r2 = sum3(v, await t_ev(trip), await mk(trip + u8));
        if (trip++ < 6)
            goto r;
        return r2 + u8;
    }
}
static int takes(struct s a, int b)
{
    return a.x + a.y * 2 + a.z * 3 + b;
}
static async int tag_shadowed(struct s o)
{
    struct s {
        char c;
        double d;
    };
    struct s in = {'x', 2.5};
    int r = takes(o, await t_ev(1)) + (int)in.d;
    await t_tick();
    return r + in.c + (int)sizeof(struct s);
}
static async struct s gets(int i)
{
    await t_tick();
    return (struct s){i, i, i};
}
static async int tag_shadowed2(void)
{
    struct s {
        char c;
    };
    struct s q = {3};
    int r = (await gets(4)).x + q.c + (await gets(q.c)).z;
    int z = takes(await gets(1), await t_ev(2));
    return r + z;
}
static async int enum_shadowed(void)
{
    enum e { E2 = 20, E1, E0 };
    enum e v = E1;
    int r = v + await t_ev(E2) + E0;
    await t_tick();
    {
        enum { E1 = 7 };
        r += E1 * await t_ev(E1);
    }
    return r + E1 + v;
}
static async int names(int uint8_t, double int64_t, char *size_t)
{
    long double aw = 3.5L;
    int ret = 1, pending = 2, parent = 3, at = 4, lim = 5;
    ret += (int)(uint8_t * await t_f64(int64_t)) + (int)await t_i64(9) + (int)strlen(size_t);
    await t_tick();
    return ret * 10000 + pending * 1000 + parent * 100 + at * 10 + lim + (int)aw;
}
static async int main_(int main)
{
    int exit = await t_ev(main);
    return exit + main;
}
static async int param_shadow(int x)
{
    int y = x;
    {
        int x = await t_ev(y + 1);
        {
            int x = await t_ev(y + 2);
            y += x;
            await t_tick();
        }
        y += x * 10;
        await t_tick();
        y += x;
    }
    await t_tick();
    return y * 100 + x;
}
static async int for_shadow(void)
{
    int i = 100, n = 0;
    for (int i = 0; i < 3; i++) {
        int i = await t_ev(7);
        n += i;
        await t_tick();
        n += i;
    }
    for (int i = await t_ev(i = 2); i < 4; i += await t_int(1))
        n += i;
    return n + i;
}
async int test_main(void)
{
    say("1 %d", await typedef_shadowed());
    say("2 %d", await typedef_shadowed2());
    say("3 %d", await tag_shadowed((struct s){1, 2, 3}));
    say("4 %d", await tag_shadowed2());
    say("5 %d", await enum_shadowed());
    say("6 %d", await names(3, 2.5, "four"));
    say("7 %d", await main_(4));
    say("8 %d", await param_shadow(5));
    return 0;
}
