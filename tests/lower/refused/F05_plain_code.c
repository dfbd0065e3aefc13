/* SPDX-License-Identifier: MIT */
/* F5: async and plain pointers in code that is not lowered, macros and parameters of pointers included. */
#include <pthread.h>
#include <signal.h>
#include "leaf.h"

#define SET(to, from) ((to) = (from))
typedef async int (*handler)(int);
typedef int (*plain_pointer)(int);
typedef void registrar(async int (*h)(int), int (*p)(int));
struct ops {
    handler h, t[2];
};

static async int a(int v)
{
    return await t_int(v);
}

static int p(int v)
{
    return v;
}

static void reg(async int (*h)(int), int (*q)(int))
{
    (void)h;
    (void)q;
}

static void (*reg_pointer)(async int (*h)(int), int (*p)(int)) = reg;
static registrar *reg_typedef = reg;

static async void on_signal(int number)
{
    await t_int(number);
}

static async void *thread(void *x)
{
    await t_tick();
    return x;
}

static handler choose(int n)
{
    return n ? a : p; // expect-error: awaitc-async-mismatch
}

static plain_pointer give(void)
{
    return (a); // expect-error: awaitc-async-mismatch
}

static int flows(struct ops *o, int n)
{
    handler h = a, *ph = &h;
    plain_pointer q = a; // expect-error: awaitc-async-mismatch
    __auto_type same = h;
    SET(h, p); // expect-error: awaitc-async-mismatch
    SET(o->h, q); // expect-error: awaitc-async-mismatch
    h = n ? p : NULL; // expect-error: awaitc-async-mismatch
    h = h ?: p; // expect-error: awaitc-async-mismatch
    same = q; // expect-error: awaitc-async-mismatch
    q = *ph; // expect-error: awaitc-async-mismatch
    q = ph[0]; // expect-error: awaitc-async-mismatch
    q = choose(3); // expect-error: awaitc-async-mismatch
    q = ({ n++; h; }); // expect-error: awaitc-async-mismatch
    h = (n++, p); // expect-error: awaitc-async-mismatch
    *&h = p; // expect-error: awaitc-async-mismatch
    q = h = a; // expect-error: awaitc-async-mismatch
    o[n].t[1] = q; // expect-error: awaitc-async-mismatch
    reg_pointer(q, // expect-error: awaitc-async-mismatch
                h); // expect-error: awaitc-async-mismatch
    reg_typedef(q, // expect-error: awaitc-async-mismatch
                a); // expect-error: awaitc-async-mismatch
    signal(SIGINT, on_signal); // expect-error: awaitc-async-mismatch
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL); // expect-error: awaitc-async-mismatch
    void (*generic)(void) = (void (*)(void))h; // expect-error: awaitc-async-mismatch
    return generic && q && same;
}

async int test_main(void)
{
    struct ops o = {a, {a, a}};
    return flows(&o, 1) + (give() != NULL);
}
