/* SPDX-License-Identifier: MIT */
/*
 * E33, E34, D11: exactly as many volatile accesses as the text has; one read-modify-write for
 * atomics.
 */
#include "leaf.h"

static volatile int port;
static _Atomic int shared;

static async int poke(int v)
{
    port = v;
    shared += v;
    await t_tick();
    return v;
}

async int test_main(void)
{
    port = 1;
    int a = port + await poke(10) + port;
    say("%d", a);
    say("%d", port = await t_ev(4));
    port += await poke(3);
    port++;
    say("%d %d", port, shared);
    volatile int local = 5;
    volatile int *p = &local;
    *p += await t_ev(2);
    local = local + await t_ev(1);
    say("%d %d", local, *p);
    volatile t_pair vp = {1, 2};
    vp.a += await t_ev(3);
    t_pair copy = vp;
    say("%d %d", copy.a, vp.b);
    _Atomic int n = 3;
    _Atomic(long) cell = 7;
    _Atomic(long) *q = &cell;
    n += await t_ev(2);
    *q = *q + await t_ev(1);
    int before = n++ + await t_ev(1);
    say("%d %d %ld", n, before, (long)*q);
    _Atomic int *ps = &shared;
    say("%d", *ps + await poke(1));
    _Atomic unsigned char small = 250;
    small += (unsigned char)await t_ev(10);
    _Atomic _Bool flag = 0;
    flag |= await t_ev(1);
    say("%d %d %d", small, flag, __atomic_add_fetch(&port, await t_ev(1), __ATOMIC_SEQ_CST));
    volatile int many[3] = {1, await t_ev(2), 3};
    for (volatile int i = 0; i < await t_int(3); i++)
        many[i] *= await t_int(2);
    return many[0] + many[1] + many[2];
}
