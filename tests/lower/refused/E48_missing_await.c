/* SPDX-License-Identifier: MIT */
/* E48: a call of an async function, or through an async pointer, without await. */
#include "leaf.h"

typedef async int (*handler)(int);
struct ops {
    handler h;
};

static int plain(int v)
{
    return v;
}

async int test_main(void)
{
    handler f = t_int;
    struct ops ops = {t_int};
    t_int(1); // expect-error: awaitc-missing-await
    int x = t_int(2); // expect-error: awaitc-missing-await
    (void)t_int(3); // expect-error: awaitc-missing-await
    f(4); // expect-error: awaitc-missing-await
    x = (*f)(5); // expect-error: awaitc-missing-await
    x += ops.h(6); // expect-error: awaitc-missing-await
    x = await t_int(t_int(7)); // expect-error: awaitc-missing-await
    x = plain(t_int(8)); // expect-error: awaitc-missing-await
    if (t_int(9)) // expect-error: awaitc-missing-await
        x++;
    for (int i = 0; i < t_int(10); i++) // expect-error: awaitc-missing-await
        x++;
    int a[2] = {1, t_int(11)}; // expect-error: awaitc-missing-await
    x = sizeof(t_int(12)) + sizeof t_int(13); /* not evaluated: fine */
    __typeof__(t_int(14)) y = a[0];
    aw_yield(); // expect-error: awaitc-missing-await
    return t_int(x + y); // expect-error: awaitc-missing-await
}
