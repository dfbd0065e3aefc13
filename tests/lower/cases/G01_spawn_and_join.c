/* SPDX-License-Identifier: MIT */
/*
 * 4: spawn and aw_join: results of every kind, arguments evaluated now, handles kept in arrays,
 * NULL results.
 */
#include "leaf.h"

static async int work(int id, int n)
{
    int sum = id;
    for (int i = 0; i < n; i++)
        sum += await t_int(i);
    return sum;
}

static async void store(int *where, int v)
{
    await t_tick();
    *where = v;
}

static async int by_value(t_big b, t_pair p, double d, const char *s)
{
    await t_tick();
    return (int)b.v[2] + p.a + (int)d + s[1];
}

async int test_main(void)
{
    int r = -1, x = 5;
    aw_task *t = spawn(work(1, 3));
    say("%d %d", await aw_join(t, &r), r);
    t = spawn(work(x++, x)); /* evaluated now, left to right */
    x = 100;
    int rc = await aw_join(t, &r);
    say("%d %d", rc, r);
    int cell = 0;
    t = spawn(store(&cell, await t_ev(8)));
    await aw_join(t, NULL);
    say("%d", cell);
    aw_task *many[10];
    for (int i = 0; i < 10; i++)
        many[i] = spawn(work(i, i));
    for (int i = 9; i >= 0; i--) {
        rc = await aw_join(many[i], &r);
        say("%d %d", rc, r);
    }
    t_big big;
    t_pair p;
    double d;
    t = aw_spawn(t_mkbig(await t_ev(4)));
    await aw_join(t, &big);
    await aw_join(spawn(t_mkpair(1, 2)), &p);
    await aw_join(spawn(t_f64(2.5)), &d);
    say("%s %d %.1f", big.name, p.b, d);
    t = spawn(by_value(big, p, d, "abc"));
    big.v[2] = 0;
    p.a = 0;
    say("%d %d", await aw_join(t, &r), r);
    async int (*f)(int, int) = work;
    t = spawn(f(20, 2));
    say("%d %d", await aw_join(t, &r), r);
    if ((rc = await aw_join(spawn(work(1, 1)), &r)) == 0 && r == 1)
        say("joined");
    for (int i = 0; i < 3; i++)
        spawn(t_int(i)); /* detached */
    aw_detach(spawn(work(0, 0)));
    return 0;
}
