/* SPDX-License-Identifier: MIT */
/*
 * F3, R16: a task that is a million calls deep is cancelled; each clean-up runs once, innermost
 * first.
 */
// stack-kib: 1024
// erased: none
// timeout: 120
// one-worker
// no-sanitize
#include "leaf.h"

enum { DEPTH = 1000000 };
static int cleaned, wrong;

static void clean(int *depth)
{
    if (*depth != cleaned)
        wrong++;
    cleaned++;
}

static async int down(int n)
{
    __attribute__((cleanup(clean))) int mine = n;
    if (n == 0) {
        await t_tick();
        for (;;)
            await aw_yield();
    }
    int r = await down(n - 1);
    return r + mine;
}

static async int stop(aw_task *t)
{
    for (int i = 0; i < 20; i++)
        await aw_yield();
    aw_cancel(t);
    return 0;
}

async int test_main(void)
{
    int r = 5;
    aw_task *t = spawn(down(DEPTH));
    await stop(t);
    int rc = await aw_join(t, &r);
    say("%d %d", rc == AW_ECANCELED, r);
    say("cleaned %d wrong %d", cleaned == DEPTH + 1, wrong);
    return 0;
}
