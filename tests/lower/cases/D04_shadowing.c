/* SPDX-License-Identifier: MIT */
/* D4: shadowed names and siblings of one name, of several types, across awaits. */
#include "leaf.h"

static int x = 1000;

static async int run(int x)
{
    int sum = x;
    {
        int outer = x;
        double x = await t_f64(0.5) + outer;
        await t_tick();
        say("%.1f", x);
        {
            char x[4] = "abc";
            await t_tick();
            say("%s %zu", x, sizeof x);
            {
                extern int p_ev(int);
                struct x { int x; } x = {await t_ev(3)};
                await t_tick();
                sum += p_ev(x.x);
            }
        }
        x++;
        say("%.1f", x);
    }
    for (int x = 0; x < 2; x++) {
        int y = x;
        await t_tick();
        int x = y + 50;
        sum += await t_ev(x);
    }
    {
        int a = await t_ev(1);
        await t_tick();
        sum += a;
    }
    {
        long long a = await t_ev(2);
        await t_tick();
        sum += (int)a;
    }
    {
        t_pair a = await t_mkpair(3, 4);
        await t_tick();
        sum += a.b;
    }
    return sum + x;
}

async int test_main(void)
{
    say("%d", x);
    int t_ev_result = await t_ev(x);
    int x = 5;
    say("%d", await run(x) + t_ev_result);
    {
        int f = 1, c = 2, st = 3, self = 4, cx = 5, frame = 6, result = 7, head = 8;
        await t_tick();
        say("%d", f + c + st + self + cx + frame + result + head);
    }
    return 0;
}
