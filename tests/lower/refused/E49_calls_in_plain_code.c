/* SPDX-License-Identifier: MIT */
/* E49: async calls in plain functions without any keyword, and outside functions. */
#include "leaf.h"

typedef async int (*handler)(int);
struct ops {
    handler h;
};
#define CALL(f) f(3)

static int plain(int v)
{
    return v;
}

static handler get(void)
{
    return t_int;
}

static int calls(struct ops *o, handler h, int n)
{
    (void)h(2); // expect-error: awaitc-async-from-sync
    o->h(2); // expect-error: awaitc-async-from-sync
    n = get()(2); // expect-error: awaitc-async-from-sync
    n += plain(t_int(2)); // expect-error: awaitc-async-from-sync
    n += CALL(t_int); // expect-error: awaitc-async-from-sync
    if (n)
        return (*h)(1); // expect-error: awaitc-async-from-sync
    int v[1 + t_int(1)]; // expect-error: awaitc-async-from-sync
    n = 0 ? t_int(5) : 1; // expect-error: awaitc-async-from-sync
    struct ops *p = (struct ops *)t_ptr(&(struct ops){h}); // expect-error: awaitc-async-from-sync
    return (int)sizeof v + (p != NULL);
}

static int fine(struct ops *o, int n)
{
    __typeof__(t_int(14)) y = n;
    handler h = t_int;
    o->h = h;
    return y + (int)(sizeof t_int(1) + sizeof(o->h(2))) + __builtin_constant_p(t_int(1));
}

int global = 0 * t_int(1); // expect-error: awaitc-async-from-sync

async int test_main(void)
{
    struct ops o = {t_int};
    return calls(&o, t_int, fine(&o, 1)) + global;
}
