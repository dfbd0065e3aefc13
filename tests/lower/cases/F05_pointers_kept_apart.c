/* SPDX-License-Identifier: MIT */
/*
 * F5: async and plain pointers side by side, none of which is mixed up: the checks must stay silent
 * about initialisers of every shape, macros, parameters of pointers, typeof, casts by way of void *.
 */
#include <stdlib.h>
#include <string.h>
#include "leaf.h"

#define SET(to, from) ((to) = (from))
#define TO_HANDLER(f) ((async int (*)(int))(void *)(f))
typedef async int async_function(int);
typedef async_function *handler;
typedef int (*plain_pointer)(int);
typedef void registrar(async int (*h)(int), int (*p)(int));
struct ops {
    int pad[2];
    handler h;
    plain_pointer p;
    struct {
        handler inner_h;
        plain_pointer inner_p;
    };
    unsigned : 3;
    handler t[2];
};
union either {
    handler h;
    plain_pointer p;
};

static async int a(int v)
{
    return await t_int(v + 1);
}

static int p(int v)
{
    return v + 2;
}

static struct ops without_braces = {1, 2, a, p, a, p, a, a};
static struct ops with_braces = {{1, 2}, a, p, {a, p}, {a}};
static struct ops by_name = {.p = p, .inner_h = a, .inner_p = p, .t = {a, a}};
static struct ops again = {.t[0] = a, a, .pad[1] = 3, a, p};
static struct ops table[] = {{1, 2, a, p},
                             [3] = {.h = a},
                             [4 ... 5].p = p,
                             [6].t[1] = a,
                             1, 2, a, p, a, p, a, a};
static union either first = {a}, second = {.p = p};
static handler handlers[4] = {a, [2 ... 3] = a};
static async int (*spelled[2])(int) = {a, 0};
static async int (**to_spelled)(int) = spelled;
static handler *to_handlers = handlers;
static int (*plain_table[])(int) = {p, NULL, (void *)p};
static __typeof__(a) *same_function = a;
static __typeof__(handlers[0]) same_pointer = a;

static handler choose(int i)
{
    return i ? a : NULL;
}

static void reg(async int (*h)(int), int (*q)(int))
{
    say("reg %d %d", h == a, q == p);
}

static void reg_typedefs(handler h, plain_pointer q, void *any)
{
    say("reg %d %d %d", h == a, q == p, any != NULL);
}

static void (*reg_pointer)(async int (*h)(int), int (*q)(int)) = reg;
static void (*reg_pointer_typedefs)(handler, plain_pointer, void *) = reg_typedefs;
static registrar *reg_function_typedef = reg;

static int compare(const void *x, const void *y)
{
    return *(const int *)x - *(const int *)y;
}

static int flows(struct ops *o, int n)
{
    handler h = a, *ph = &h, local[2] = {a, a};
    plain_pointer q = p;
    __auto_type same = h;
    __typeof__(h) typed = a;
    SET(h, a);
    SET(q, p);
    SET(o->h, h);
    h = n ? a : NULL;
    h = n ? h : a;
    h = h ?: a;
    same = *ph;
    typed = ph[0];
    typed = local[1];
    typed = *(local + 1);
    typed = choose(3);
    h = ({ int z = n; z ? a : h; });
    h = (n++, a);
    *ph = a;
    *&h = a;
    (*ph) = typed = same;
    o[0].t[1] = h;
    reg(h, q);
    reg(&a, &p);
    reg_pointer(h, q);
    reg_pointer_typedefs(h, q, (void *)a);
    reg_function_typedef(a, p);
    (*reg_pointer)(a, p);
    int numbers[3] = {3, 1, 2};
    qsort(numbers, 3, sizeof *numbers, compare);
    memcpy(&h, &o->h, sizeof h);
    __typeof__(a(2)) y = (int)(sizeof(a(3)) + sizeof a(3)) + __builtin_types_compatible_p(int, int);
    struct ops copy = {.h = a};
    copy = (struct ops){.p = p};
    copy = *o;
    void (*generic)(void) = (void (*)(void))q;
    void *raw = (void *)h;
    h = raw;
    q = (void *)p;
    return numbers[0] + (h == a) + (q == p) + (generic != NULL) + y + (copy.h == h) + !same;
}

async int test_main(void)
{
    handler h = choose(1);
    handler word = TO_HANDLER(a);
    struct ops o = {.h = h, .p = p};
    __auto_type k = h;
    __typeof__(k) m = a;
    k = m;
    int x = await k(1) + await (*m)(2) + await o.h(3) + await ((handler)(void *)h)(4);
    x += await ((async int (*)(int))h)(5) + await word(6) + await (*to_spelled)(7);
    x += await to_handlers[2](8) + await same_function(9) + await same_pointer(10);
    x += await table[7].t[1](11) + await with_braces.inner_h(12) + await by_name.t[1](13);
    x += await without_braces.t[0](14) + await again.t[1](15) + await first.h(16);
    say("%d %d", x, flows(&o, 1));
    return o.p(3) + second.p(4) + plain_table[0](5) + table[5].p(6);
}
