/* SPDX-License-Identifier: MIT */
/*
 * 4: aw_all: arguments first, results after, plain calls, nested groups, awaits in arguments and
 * lvalues.
 */
#include "leaf.h"

static async int quiet(int a, int b)
{
    int s = await t_int(a);
    await t_tick();
    return s * 10 + await t_int(b);
}

static async void put(int *p, int v)
{
    await t_tick();
    *p = v;
}

static async t_pair swap(t_pair p)
{
    await t_tick();
    return (t_pair){p.b, p.a};
}

static async int ready(int v)
{
    return v;
}

struct rec {
    int v[3];
    struct rec *self;
    unsigned bit : 4;
};

async int test_main(void)
{
    int a = 0, b = 0, c = 0, i = 0, v[4] = {0};
    await aw_all(a = quiet(1, 2), b = quiet(3, 4), c = ready(5));
    say("%d %d %d", a, b, c);
    await aw_all(a = ready(1));
    await aw_all(put(&a, 7), put(&b, 8), ready(9));
    say("%d %d", a, b);
    /* arguments and lvalues left to right, then the calls */
    await aw_all(v[0] = quiet(p_ev(1), p_ev(2)), v[await t_ev(1)] = quiet(2, 2), *&v[p_ev(2)] = ready(3));
    await aw_all(a = quiet(await t_ev(3), p_ev(4)), b = ready(await t_ev(5)), put(&v[p_ev(3)], p_ev(6)));
    say("%d %d %d", v[0], v[1], v[2]);
    v[i] = 0;
    await aw_all(v[i++] = ready(4), v[i++] = quiet(5, 0), v[i++] = ready(6));
    say("%d %d %d %d", i, v[0], v[1], v[2]);
    struct rec r = {{0}, &r, 0};
    t_pair p = {1, 2}, q;
    double d;
    const char *s;
    await aw_all(r.self->v[1] = quiet(1, 1), q = swap(p), d = t_f64(1.5), s = t_ptr("text"), r.bit = ready(19));
    say("%d %d %d %.1f %s %u", r.v[1], q.a, q.b, d, s, r.bit);
    int rc = -1;
    await aw_all(a = quiet(6, 7), aw_all(b = quiet(8, 9), c = quiet(1, 3)), rc = aw_try_all(v[0] = quiet(2, 2), v[1] = ready(3)));
    say("%d %d %d %d %d %d", a, b, c, rc, v[0], v[1]);
    for (int round = 0; round < 3; round++) {
        int x, y;
        await aw_all(x = quiet(round, 1), y = quiet(1, round));
        if (x == y)
            continue;
        say("%d %d", x, y);
    }
    async int (*f)(int, int) = quiet;
    signed char narrow = 0;
    long long wide = 0;
    await aw_all(narrow = f(30, 0), wide = (*f)(1, 1));
    say("%d %lld", narrow, wide);
    a ? await aw_all(b = quiet(4, 4)) : (void)0;
    return b;
}
