/* SPDX-License-Identifier: MIT */
/* F5: async and plain in initialisers: braces left out, designators, ranges, unions, arrays of structs. */
#include "leaf.h"

typedef async int (*handler)(int);
typedef int (*plain_pointer)(int);
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
    return await t_int(v);
}

static int p(int v)
{
    return v;
}

struct ops without_braces = {
    1, 2,
    p, // expect-error: awaitc-async-mismatch
    a, // expect-error: awaitc-async-mismatch
    p, // expect-error: awaitc-async-mismatch
    a, // expect-error: awaitc-async-mismatch
    a,
    p, // expect-error: awaitc-async-mismatch
};
struct ops with_braces = {
    {1, 2}, a, p,
    {p, // expect-error: awaitc-async-mismatch
     p},
    {a,
     p}, // expect-error: awaitc-async-mismatch
};
struct ops by_name = {
    .p = a, // expect-error: awaitc-async-mismatch
    .inner_h = p, // expect-error: awaitc-async-mismatch
    .inner_p = a, // expect-error: awaitc-async-mismatch
    .t[1] = p, // expect-error: awaitc-async-mismatch
};
struct ops table[] = {
    {1, 2, p}, // expect-error: awaitc-async-mismatch
    [3] = {.h = p}, // expect-error: awaitc-async-mismatch
    [4 ... 5].p = a, // expect-error: awaitc-async-mismatch
    [6].t[1] = p, // expect-error: awaitc-async-mismatch
};
union either first = {p}; // expect-error: awaitc-async-mismatch
union either second = {.p = a}; // expect-error: awaitc-async-mismatch
handler handlers[4] = {
    a,
    [2 ... 3] = p, // expect-error: awaitc-async-mismatch
};
async int (*spelled[2])(int) = {
    a,
    p, // expect-error: awaitc-async-mismatch
};
int (**plain_table)(int) = handlers; // expect-error: awaitc-async-mismatch
__typeof__(handlers[0]) copied = p; // expect-error: awaitc-async-mismatch

static int use(void)
{
    static const handler kept[] = {
        p, // expect-error: awaitc-async-mismatch
    };
    struct ops local = {.h = p}; // expect-error: awaitc-async-mismatch
    local = (struct ops){.p = a}; // expect-error: awaitc-async-mismatch
    return kept[0] && local.h;
}

async int test_main(void)
{
    struct ops local[2] = {
        {.h = a, .p = p},
        {.h = p}, // expect-error: awaitc-async-mismatch
    };
    return use() + (local[0].h != NULL);
}
