/* SPDX-License-Identifier: MIT */
/* D14, D19, D26, D43: flexible arrays, anonymous members, packed and zero-sized types as locals. */
#include "leaf.h"

struct flex {
    int n;
    char tail[];
};
struct anon {
    int kind;
    union {
        int i;
        struct {
            short lo, hi;
        };
        float f;
    };
    struct {
        int deep;
    };
};
#pragma pack(push, 1)
struct tight {
    char c;
    int i;
    short s;
};
struct empty {
};
struct zero {
    int n;
    int none[0];
};

static async int in_pack_state(struct tight t)
{
    struct {
        char c;
        long long l;
    } local = {1, await t_i64(t.i)};
    await t_tick();
    return (int)sizeof local + (int)local.l + t.s;
}
#pragma pack(pop)

struct __attribute__((packed)) loose {
    char c;
    int *p;
};

async int test_main(void)
{
    struct flex f = {await t_ev(3)};
    struct anon a = {.kind = 1, .lo = (short)await t_ev(7), .deep = await t_ev(9)};
    struct tight t = {'t', await t_ev(5), 6};
    struct empty e, e2[2];
    struct zero z = {await t_ev(1)};
    int x = 4;
    struct loose l = {'l', &x};
    await t_tick();
    a.hi = (short)await t_ev(1);
    (void)e;
    say("%d %d %d %d %zu", f.n, a.lo, a.i, a.deep, sizeof t);
    say("%d %d %zu %zu %d", t.i, t.s, sizeof e, sizeof e2, z.n);
    *l.p += await t_ev(1);
    t.i += await t_ev(10);
    say("%d %d %zu %d", x, t.i, sizeof l, await in_pack_state(t));
    return 0;
}
