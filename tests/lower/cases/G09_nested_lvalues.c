/* SPDX-License-Identifier: MIT */
/*
 * 4: nested forms assign to every kind of lvalue, and evaluate arguments, callees and lvalues once,
 * from left to right, before any call starts.
 */
#include "leaf.h"

struct inner {
    int v[3];
    unsigned low : 5, high : 7;
    signed char small;
};

struct outer {
    struct inner in;
    struct inner *link;
    union {
        int i;
        unsigned bits : 3;
    };
};

enum colour { RED, GREEN = 7, BLUE };

typedef async int (*step)(int);
typedef int matrix[2][3];

static int file_static;
static _Thread_local int thread_local_one;
static struct outer global = {{{0, 0, 0}, 0, 0, 0}, NULL, {0}};

static async int quiet(int v)
{
    int r = await t_int(v);
    await t_tick();
    return r;
}

static async int twice(int v)
{
    await t_tick();
    return v * 2;
}

static async enum colour paint(int v)
{
    await t_tick();
    return v ? BLUE : GREEN;
}

static async step choose(int which)
{
    await t_tick();
    return which ? twice : quiet;
}

static async int (*pick_row(matrix *m, int i))[3]
{
    await t_tick();
    return &(*m)[i];
}

static async const char *text(int v)
{
    await t_tick();
    return v ? "yes" : "no";
}

static async t_big large(t_big b, int v)
{
    await t_tick();
    b.v[0] += v;
    return b;
}

static int plain(int v)
{
    return v * v;
}

static t_pair plain_pair(int a, double d)
{
    return (t_pair){a, (int)(d * 2)};
}

static step steps(int which)
{
    p_evn("steps", which);
    return which ? twice : quiet;
}

static struct outer *object(struct outer *o, int v)
{
    p_evn("object", v);
    return o;
}

static async int order(void)
{
    int a[4] = {0}, rc = -1, i = 0;
    int *p = a;
    await aw_all(rc = aw_try_all(a[p_ev(1)] = quiet(p_ev(0)), a[await t_ev(3)] = quiet(await t_ev(2))),
                 a[p_ev(5)-5] = quiet(p_ev(4)), aw_all(*(p + p_ev(8) - 6) = steps(p_ev(6))(p_ev(7))));
    say("%d: %d %d %d %d", rc, a[0], a[1], a[2], a[3]);
    say("%d", await aw_try_all(aw_timeout((unsigned)p_ev(60000), a[i++] = quiet(i)), rc = aw_timeout(60000, a[p_ev(3)] = aw_blocking(plain(p_ev(2))))));
    await aw_all(aw_all(*p++ = quiet(10), *p++ = quiet(11)), aw_all(*p++ = aw_compute(plain(p_ev(12)))));
    say("%d %d %d %d %d", (int)(p - a), a[0], a[1], a[2], i);
    return a[3];
}

static async int kinds(int parameter)
{
    int automatic = 1, taken = 2;
    int *pointer = &taken;
    static int block_static;
    volatile int careful = 3;
    _Bool flag = 0;
    long long wide = 0;
    signed char narrow = 0;
    float f = 0;
    enum colour c = RED;
    const char *s = NULL;
    step h = NULL;
    matrix m = {{1, 2, 3}, {4, 5, 6}};
    int(*row)[3] = NULL;
    struct outer o = {{{0, 0, 0}, 0, 0, 0}, &o.in, {0}};
    t_big big = {{1}, "big", {2, 3}}, other;
    t_pair pair;
    int rc = -1;
    await aw_all(aw_all(automatic = quiet(1), *pointer = quiet(2), block_static = quiet(3), careful = quiet(4)),
                 rc = aw_try_all(flag = quiet(5), wide = quiet(-0), narrow = quiet(300), f = quiet(8)),
                 aw_all(parameter = quiet(9), file_static = quiet(10), thread_local_one = quiet(11)));
    say("%d %d %d %d %d", automatic, taken, block_static, careful, rc);
    say("%d %lld %d %.1f %d %d %d", flag, wide, narrow, (double)f, parameter, file_static, thread_local_one);
    await aw_all(aw_all(c = paint(1), s = text(1), h = choose(1), row = pick_row(&m, 1)),
                 aw_all(other = large(big, 5), big.in.hi = quiet(7), (pair) = aw_blocking(plain_pair(1, 2.5))));
    say("%d %s %d %d %lld %d %d %d", c, s, await h(4), (*row)[2], other.v[0], big.in.hi, pair.a, pair.b);
    await aw_all(aw_all(o.in.low = quiet(33), object(&o, 1)->link->high = quiet(130), o.in.v[1] = quiet(4)),
                 aw_all(o.bits = quiet(15), global.in.low = quiet(40), (*object(&global, 2)).in.small = quiet(5)));
    say("%d %d %d %d %d %d", o.in.low, o.in.high, o.in.v[1], o.bits, global.in.low, global.in.small);
    await aw_all(aw_all(h(1), (*h)(2), rc = (h == twice ? quiet : twice)(21), aw_blocking(plain(3))));
    return rc + automatic;
}

static async int loops(void)
{
    int sum = 0;
    for (int i = 0; i < 3 && await aw_try_all(aw_timeout(60000, sum = quiet(sum)), quiet(0)) == 0; i++) {
        int x = i, many[3], rc;
        struct inner in = {{i, i, i}, 0, 0, 0};
        int *px = &x;
        await aw_all(rc = aw_try_all(many[0] = quiet(i), many[1] = quiet(x), many[2] = quiet(in.v[2])),
                     aw_all(in.v[0] = quiet(*px + 1), *px = twice(in.v[1])));
        if (x == 2)
            continue;
        for (int k = 0; k < 2; k++) {
            int y = k;
            await aw_all(aw_all(aw_all(y = twice(y), aw_all(x = quiet(x + 1)))));
            sum += y + x;
        }
        sum += rc + many[0] + many[1] + many[2] + in.v[0] + *px;
    }
    return sum;
}

async int test_main(void)
{
    enum local { ONE, TWO } e = ONE;
    await aw_all(aw_all(e = t_int(TWO)));
    say("enum %d", (int)e);
    say("order %d", await order());
    say("kinds %d", await kinds(5));
    say("loops %d", await loops());
    return 0;
}
