/* SPDX-License-Identifier: MIT */
/* 4: aw_scope: limit, waiting, the first failure, children that do not outlive the block. */
// erased: none
// one-worker
#include "leaf.h"

static int running, most, done;

static async int child(int v)
{
    running++;
    if (running > most)
        most = running;
    await t_tick();
    await aw_yield();
    running--;
    done++;
    return v;
}

static async int forever(int id)
{
    HOLD(id);
    for (;;)
        await aw_yield();
    return id;
}

static async int fails(int rounds, int v)
{
    while (rounds-- > 0)
        await aw_yield();
    return -v;
}

static async int limited(size_t limit, int n)
{
    aw_scope s;
    aw_scope_init(&s, limit);
    running = most = done = 0;
    for (int i = 0; i < n; i++)
        if (await aw_scope_spawn(&s, child(i)) != 0)
            say("never");
    int rc = await aw_scope_wait(&s);
    say("limit %zu: most fits %d done %d running %d", limit, limit == 0 || most <= (int)limit, done, running);
    return rc;
}

static async int failing(void)
{
    aw_scope s;
    aw_scope_init(&s, 0);
    await aw_scope_spawn(&s, forever(1));
    await aw_scope_spawn(&s, fails(2, 7));
    for (int i = 0; i < 20; i++)
        await aw_yield();
    say("later spawn %d", await aw_scope_spawn(&s, child(1)));
    int rc = await aw_scope_wait(&s);
    say("failed %d", rc);
    return rc;
}

static async int left(int how)
{
    for (int i = 0; i < 2; i++) {
        aw_scope s;
        aw_scope_init(&s, 0);
        HOLD(100 + i);
        await aw_scope_spawn(&s, forever(2 + i));
        await aw_yield();
        await aw_yield();
        if (how == 1)
            break;
        if (how == 2)
            return 22;
        if (how == 3)
            continue;
    }
    return how;
}

async int test_main(void)
{
    say("%d %d %d", await limited(1, 4), await limited(3, 10), await limited(0, 5));
    say("%d", await failing());
    for (int how = 0; how < 4; how++)
        say("left %d", await left(how));
    return 0;
}
