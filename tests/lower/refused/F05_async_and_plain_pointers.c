/* SPDX-License-Identifier: MIT */
/* F5, F4: assignments and conversions between async and plain functions and pointers. */
#include "leaf.h"

typedef async int (*handler)(int);
typedef int (*plain_pointer)(int);
struct ops {
    handler h;
    int (*plain)(int);
};

static int plain(int v)
{
    return v;
}

static async int other(int v)
{
    return await t_int(v);
}

handler global = plain; // expect-error: awaitc-async-mismatch
static int (*global_plain)(int) = other; // expect-error: awaitc-async-mismatch
const handler table[] = {
    other,
    plain, // expect-error: awaitc-async-mismatch
};
struct ops ops = {
    .h = plain, // expect-error: awaitc-async-mismatch
    .plain = other, // expect-error: awaitc-async-mismatch
};

static void take(handler h)
{
    (void)h;
}

static void take_plain(int (*f)(int))
{
    (void)f;
}

static handler give(void)
{
    return plain; // expect-error: awaitc-async-mismatch
}

async int test_main(void)
{
    handler h = plain; // expect-error: awaitc-async-mismatch
    plain_pointer p;
    p = other; // expect-error: awaitc-async-mismatch
    h = p; // expect-error: awaitc-async-mismatch
    take(plain); // expect-error: awaitc-async-mismatch
    take_plain(other); // expect-error: awaitc-async-mismatch
    h = (handler)plain; // expect-error: awaitc-async-mismatch
    p = (plain_pointer)other; // expect-error: awaitc-async-mismatch
    ops.h = ops.plain; // expect-error: awaitc-async-mismatch
    h = p ? other : plain; // expect-error: awaitc-async-mismatch
    h = (handler)(void *)plain; /* the programmer's word */
    void *raw = (void *)other;
    h = raw;
    return h == give() && global && global_plain && p;
}
