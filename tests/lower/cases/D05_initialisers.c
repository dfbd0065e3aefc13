/* SPDX-License-Identifier: MIT */
/*
 * D5, D6, E27: scalar, struct and array initialisers with awaits: partial, nested, designated,
 * strings, ranges, overridden parts.
 */
#include "leaf.h"

struct deep {
    int a;
    struct {
        int x, y;
        char name[8];
    } in[2];
    const char *text;
    int tail[];
};
union u {
    int i;
    struct {
        short lo, hi;
    } s;
};

async int test_main(void)
{
    int a = await t_ev(1), b = await t_ev(a + 1), c = a + b;
    say("%d %d %d", a, b, c);
    int v[5] = {await t_ev(1), 2, await t_ev(3)};
    int w[] = {[1] = await t_ev(2), 99, [3] = await t_ev(4)};
    say("%d %d %d %d %zu", v[2], v[4], w[2], w[3], sizeof w / sizeof w[0]);
    int m[2][3] = {{await t_ev(1)}, {4, await t_ev(5), 6}}, flat[2][2] = {1, await t_ev(2), 3};
    say("%d %d %d %d %d", m[0][0], m[0][2], m[1][1], flat[0][1], flat[1][0]);
    struct deep d = {.in = {[0].x = await t_ev(1), [1] = {.y = await t_ev(2), .name = "abc"}}, .text = "t", .a = 3};
    await t_tick();
    say("%d %d %d %s %s %d", d.a, d.in[0].x, d.in[1].y, d.in[1].name, d.text, d.in[0].name[0]);
    struct deep e = {await t_ev(1), {{2, 3, {'x', (char)await t_ev('y')}}}};
    say("%d %d %s %d", e.a, e.in[0].y, e.in[0].name, e.in[1].x);
    char s1[] = "string", s2[10] = "ab", s3[3] = {"xyz"};
    await t_tick();
    say("%s %zu %s %d %.3s", s1, sizeof s1, s2, s2[9], s3);
    int r[6] = {[0 ... 3] = 7, [5] = await t_ev(1)};
    say("%d %d %d", r[3], r[4], r[5]);
    union u u = {await t_ev(0x10002)}, u2 = {.s = {.hi = (short)await t_ev(3)}};
    say("%d %d %d", u.s.lo, u2.s.lo, u2.s.hi);
    t_pair p = await t_mkpair(8, 9), pp[3] = {p, [2] = await t_mkpair(1, 2)}, q = {p.a, p.b + await t_ev(1)};
    say("%d %d %d %d", pp[0].b, pp[1].a, pp[2].b, q.b);
    struct {
        t_pair p;
        int z;
    } mix = {await t_pass(p), await t_ev(5)}, over = {.p = p, .p.b = await t_ev(77)};
    say("%d %d %d %d", mix.p.a, mix.z, over.p.b, over.z);
    int again[2];
    for (int i = 0; i < 2; i++) {
        int z[3] = {i};
        z[1] += await t_ev(i);
        z[2] += z[1] + z[0];
        again[i] = z[2];
    }
    say("%d %d", again[0], again[1]);
    int big[200] = {[199] = await t_ev(1)}, zero[100] = {0};
    await t_tick();
    say("%d %d %d", big[0], big[199], zero[50]);
    wchar_t wide[] = L"wide";
    await t_tick();
    say("%d %zu", (int)wide[1], sizeof wide / sizeof *wide);
    const int k[] = {await t_ev(5), 6};
    const char *names[] = {[1] = "one", [0] = await t_ev(0) ? "x" : "zero"}; /* one effect */
    await t_tick();
    say("%d %s %s", k[1], names[0], names[1]);
    return 0;
}
