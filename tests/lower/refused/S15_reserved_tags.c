/* SPDX-License-Identifier: MIT */
/* S15: tags and objects with the names that a function's lowered text needs: f__poll in
 * a comment is none, nor in "f__need". */
#include "leaf.h"

struct f__frame { // expect-error: awaitc-reserved-name
    int x;
};
static int f__site[2]; // expect-error: awaitc-reserved-name
enum f__state { OFF }; // expect-error: awaitc-reserved-name
struct f__other {
    const char *name;
};

async int f(int v)
{
    struct f__other o = {"f__need"};
    return await t_int(v) + f__site[0] + (o.name != NULL);
}

async int test_main(void)
{
    return await f(1);
}
