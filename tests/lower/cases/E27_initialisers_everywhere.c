/* SPDX-License-Identifier: MIT */
/* E27, E28, D6: literals and initialisers, of types without a name too, with awaits in them. */
#include "leaf.h"
#include <string.h>
struct s {
    int a;
    struct {
        int b, c[3];
    } in;
    const char *n;
    union {
        int i;
        float f;
    };
};
static void show(const struct s *x)
{
    say("%d %d %d %d %d %s %d", x->a, x->in.b, x->in.c[0], x->in.c[1], x->in.c[2],
        x->n ? x->n : "-", x->i);
}
static async int use(const struct s *p, int k)
{
    await t_tick();
    return p->a * 10 + k;
}
static async void lits(void)
{
    int *p = (int[]){await t_ev(1), await t_ev(2), 3};
    await t_tick();
    p[1] += await t_ev(5);
    say("%d %d %d", p[0], p[1], p[2]);
    say("%d", (int[]){4, await t_ev(5), 6}[await t_ev(1)]);
    say("%d", *(const int *)&(int){await t_ev(7)});
    struct s *q = &(struct s){.in.c[1] = await t_ev(8),
                              .a = await t_ev(1),
                              .in = {.b = 4, .c[2] = await t_ev(2)},
                              .n = "nn",
                              .f = 0};
    await t_tick();
    show(q);
    say("%d", await use(&(struct s){await t_ev(3)}, await t_ev(4)));
    (struct s){1}.a;
    (int){await t_ev(2)};
    char *c = (char[]){"hello"};
    await t_tick();
    c[0] = 'J';
    say("%s", c);
    char(*pc)[6] = &(char[]){"world"};
    await t_tick();
    say("%s %d", *pc, (int)sizeof *pc);
    int *keep[3];
    for (int i = 0; i < 3; i++) {
        keep[0] = &(int){i};
        await t_tick();
        *keep[0] += 10;
        say("k%d", *keep[0]);
    }
    int n = 0;
again:;
    int *r = &(int){n};
    await t_tick();
    *r += 100;
    say("r%d", *r);
    if (n++ < 2)
        goto again;
    struct s arr[] = {[0] = {1, {2, {3}}, "x", {await t_ev(9)}},
                      [1].in.c = {[2] = await t_ev(4)},
                      [2] = {await t_ev(2)}};
    await t_tick();
    for (int i = 0; i < 3; i++)
        show(arr + i);
    int rng[6] = {[1] = await t_ev(7), [2] = await t_ev(8), await t_ev(9), [5] = 1};
    for (int i = 0; i < 6; i++)
        say("%d", rng[i]);
    int m[2][3] = {await t_ev(1), 2, 3, {await t_ev(4)}};
    say("%d %d %d %d", m[0][0], m[0][2], m[1][0], m[1][2]);
    int m3[2][2][2] = {{{1, await t_ev(2)}, 3}, {[1][0] = await t_ev(5)}};
    say("%d %d %d", m3[0][0][1], m3[0][1][0], m3[1][1][0]);
    char t1[] = "abc", t2[8] = "de", t3[3] = "xyz", t4[2][4] = {"ab", {'c', (char)await t_ev('d')}};
    await t_tick();
    say("%s %s %.3s %s %s %d", t1, t2, t3, t4[0], t4[1], (int)sizeof t1);
    const char *const names[] = {"a", "b", [4] = "e"};
    await t_tick();
    say("%s %d", names[4], (int)(sizeof names / sizeof *names));
    struct s e = {};
    struct s z = {0};
    await t_tick();
    show(&e);
    show(&z);
    e = (struct s){.a = e.a + await t_ev(1), .n = e.n};
    show(&e);
    e = (struct s){.a = await t_ev(2), .in.b = e.a};
    show(&e);
    struct s f = {.a = 1, .in = e.in, .in.b = await t_ev(12)};
    show(&f);
    struct s self = {.a = (int)sizeof self, .n = (char *)&self};
    await t_tick();
    say("%d %d", self.a == sizeof self, self.n == (char *)&self);
    const struct s cs = {.a = await t_ev(3), .n = "const"};
    await t_tick();
    show(&cs);
    const int ca[] = {await t_ev(1), 2};
    await t_tick();
    say("%d", ca[0] + ca[1]);
    static const struct s ss = {.a = 77};
    await t_tick();
    show(&ss);
    wchar_t w[] = L"wide";
    await t_tick();
    say("%d %d", (int)w[2], (int)(sizeof w / sizeof *w));
    union {
        char c[8];
        int i;
        double d;
    } u = {.d = await t_f64(1)};
    await t_tick();
    say("%g", u.d);
    u = (__typeof__(u)){.i = await t_ev(5)};
    say("%d", u.i);
    struct {
        int n;
        struct {
            char c;
        } in[2];
    } loc = {await t_ev(1), {{'a'}, {(char)await t_ev('b')}}};
    await t_tick();
    say("%d %c", loc.n, loc.in[1].c);
    __typeof__(loc) l2 = loc;
    l2.n += await t_ev(3);
    await t_tick();
    say("%d", l2.n);
    __typeof__(loc) *lp = &(__typeof__(loc)){.n = 4};
    await t_tick();
    say("%d", lp->n);
    int x = 5, *px = &x;
    struct {
        int *p;
        int **pp;
    } ps = {px, &px};
    await t_tick();
    **ps.pp += await t_ev(2);
    say("%d", x);
    memcpy(&x, &(int){await t_ev(99)}, sizeof x);
    say("%d", x);
    say("%d", (int)sizeof((int[]){await t_ev(1), 2}));
    const int *kk = (const int[]){1, await t_ev(2)};
    await t_tick();
    say("%d", kk[1]);
    say("%d",
        ((struct s){.a = await t_ev(4)}).a + ((struct s){.in.c = {1, await t_ev(2)}}).in.c[1]);
    ((int[2]){})[await t_ev(0)] = await t_ev(3);
}
async int test_main(void)
{
    await lits();
    return 0;
}
