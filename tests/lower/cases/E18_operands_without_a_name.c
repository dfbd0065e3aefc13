/* SPDX-License-Identifier: MIT */
/*
 * E18, D18, D22: operands and locals of types without a name, members of results, pointers to
 * parts of them, beside awaits.
 */
#include "leaf.h"
#include <stdlib.h>
#include <string.h>
struct in {
    int a;
    struct {
        short x, y;
    } p;
};
static async struct in gi(int x)
{
    await t_tick();
    return (struct in){x, {x + 1, x + 2}};
}
static int use2(int a, int b)
{
    return a * 10 + b;
}
static async int nameless_cond(int k)
{
    struct {
        int v;
        char c;
    } a = {1, 'a'}, b = {2, 'b'};
    int r = use2((k ? a : b).v, await t_ev(1));
    __typeof__(a) *p = k ? &a : 0;
    r += p ? use2(p->v, await t_ev(2)) : 0;
    r += use2((k ? (await t_tick(), a) : (b)).v, await t_ev(3));
    __typeof__(a) arr[2] = {a, b}, *q = arr;
    r += use2(q[await t_ev(1)].v, (q + await t_ev(0))->v);
    (*(k ? &a : &b)).v += await t_ev(4);
    q++->v = await t_ev(9);
    r += use2(arr[0].v, arr[1].v);
    struct {
        __typeof__(a) in[2];
    } n = {{a, b}};
    r += use2(n.in[await t_ev(1)].c, await t_ev(n.in[0].v));
    n.in[await t_ev(0)] = k ? a : b;
    r += n.in[0].v;
    const struct {
        int u;
    } cs = {await t_ev(6)};
    r += use2(cs.u, await t_ev(cs.u));
    r += cs.u;
    const struct {
        int z;
    } *pc = (void *)&cs;
    r += pc->z + await t_ev(1) + pc->z;
    volatile struct {
        int w;
    } vs = {1};
    r += vs.w + await t_ev(2) + vs.w;
    enum { A1, B1 = 7 } e = k ? A1 : B1;
    r += use2(e, await t_ev(e));
    enum { C1 } *pe = (void *)&e;
    r += (int)*pe + await t_ev(1);
    union {
        int i;
        float f;
    } u = {3};
    r += use2((k ? u : u).i, await t_ev(u.i));
    u.f = await t_f32(1.5f);
    r += (int)(u.f * 2);
    return r;
}
static async int autos(void)
{
    struct {
        int a;
    } x = {await t_ev(1)};
    const __typeof__(x) y = x;
    __auto_type z = x;
    const __auto_type w = y;
    __auto_type px = &z;
    await t_tick();
    px->a += await t_ev(2);
    __auto_type v = (await t_tick(), y);
    __auto_type p2 = &v;
    await t_tick();
    return x.a + y.a * 10 + z.a * 100 + w.a * 1000 + p2->a * 10000;
}
static async struct in *pg(struct in *p)
{
    await t_tick();
    return p;
}
static async void mem(void)
{
    struct in a = await gi(3), *p = &a;
    say("%d", (await gi(4)).p.y + (await pg(p))->p.x);
    (await pg(p))->p = (await gi(9)).p;
    say("%d %d", a.p.x, a.p.y);
    (*await pg(p)).a = await t_ev(2);
    __auto_type w = (await gi(7)).p;
    await t_tick();
    say("%d", w.x + w.y);
    (*pg ? p : p)->p.x += await t_ev(5);
    say("%d", a.p.x);
    struct in v[3] = {[1] = await gi(1)};
    v[2] = v[await t_ev(1)];
    v[await t_ev(0)].p = v[2].p;
    say("%d %d", v[0].p.y, v[2].a);
    p = v;
    p++->a = await t_ev(8);
    (p += await t_ev(1))->a = 6;
    say("%d %d", v[0].a, v[2].a);
    *(p - await t_ev(1)) = *p;
    say("%d", v[1].a);
    int d = (int)(p - v) + await t_ev(1);
    say("%d", d);
}
static async int heap(int n)
{
    int *a = malloc((size_t)n * sizeof *a), **pp = &a;
    for (int i = 0; i < n; i++)
        a[i] = await t_int(i * i);
    a = realloc(a, 2 * (size_t)n * sizeof *a);
    for (int i = n; i < 2 * n; i++)
        (*pp)[i] = a[i - 1] + await t_int(a[i - n]);
    int s = 0;
    for (int *p = a; p < a + 2 * n; ++p)
        s += *p + await t_int(1) - 1;
    free(a);
    return s;
}
typedef struct node {
    int v;
    struct node *l, *r;
} node;
static async node *ins(node *t, int v)
{
    if (!t) {
        t = calloc(1, sizeof *t);
        t->v = v;
        await t_tick();
        return t;
    }
    if (v < t->v)
        t->l = await ins(t->l, v);
    else
        t->r = await ins(t->r, v);
    return t;
}
static async int sum(const node *t)
{
    return t ? t->v + await sum(t->l) * 2 + await sum(t->r) * 3 : await t_int(0);
}
static async void del(node *t)
{
    if (t) {
        await del(t->l);
        await del(t->r);
        free(t);
    }
}
static async int cmpq(const void *a, const void *b)
{
    await t_tick();
    return *(const int *)a - *(const int *)b;
}
typedef async int (*cmpf)(const void *, const void *);
static async void isort(void *base, size_t n, size_t sz, cmpf cmp)
{
    char *b = base;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && await cmp(b + (j - 1) * sz, b + j * sz) > 0; j--) {
            for (size_t k = 0; k < sz; k++) {
                char c = b[j * sz + k];
                b[j * sz + k] = b[(j - 1) * sz + k];
                b[(j - 1) * sz + k] = c;
            }
        }
}
static async int strs(void)
{
    char buf[64] = "", *w = buf;
    const char *in = "a-bc-def";
    while (*in) {
        const char *e = strchr(in, '-');
        size_t n = e ? (size_t)(e - in) : strlen(in);
        memcpy(w, in, n);
        w += n;
        *w++ = (char)await t_int('+');
        in += n + (e != NULL);
    }
    *w = 0;
    say("%s", buf);
    return (int)(w - buf);
}
async int test_main(void)
{
    say("%d", await nameless_cond(0));
    say("%d", await nameless_cond(1));
    say("%d", await autos());
    await mem();
    say("%d", await heap(5));
    node *t = NULL;
    int vs[] = {5, 2, 8, 1, 9, 3};
    for (int i = 0; i < 6; i++)
        t = await ins(t, vs[i]);
    say("%d", await sum(t));
    await del(t);
    await isort(vs, 6, sizeof *vs, cmpq);
    say("%d%d%d%d%d%d", vs[0], vs[1], vs[2], vs[3], vs[4], vs[5]);
    say("%d", await strs());
    return 0;
}
