/* SPDX-License-Identifier: MIT */
/*
 * 1: AWAITC_NO_KEYWORDS leaves only the prefixed keywords, so that async, await, spawn and defer
 * are plain names.
 */
#include <stdio.h>
#define AWAITC_NO_KEYWORDS
#include <awaitc.h>

aw_async int t_int(int v);
aw_async int test_main(void);
void say(const char *format, ...);

struct names {
    int async, await;
    int (*spawn)(int);
};

static int twice(int v)
{
    return 2 * v;
}

static aw_async int add(int async, int await)
{
    int defer = aw_await t_int(async);
    return defer + aw_await t_int(await);
}

aw_async int test_main(void)
{
    struct names n = {1, aw_await t_int(2), twice};
    int spawn = n.spawn(aw_await t_int(n.await));
    say("%d %d %d", n.async, spawn, aw_await add(spawn, 3));
    return 0;
}
