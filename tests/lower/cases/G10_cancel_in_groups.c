/* SPDX-License-Identifier: MIT */
/*
 * 4, 6: a task cancelled while it waits in a group: the branches leave first, then the task's own
 * scopes.
 */
// erased: none
// one-worker
#include "leaf.h"

static async int held(int id)
{
    HOLD(id);
    {
        HOLD(id + 1);
        await aw_park();
    }
    return id;
}

static async int outer(int how)
{
    HOLD(1);
    int a = 0, b = 0;
    if (how == 0)
        await held(10);
    else if (how == 1)
        await aw_all(a = held(10));
    else if (how == 2)
        await aw_timeout(60000, a = held(10));
    else if (how == 3)
        await aw_race(a = held(10));
    else if (how == 4)
        await aw_try_all(b = held(10));
    else if (how == 5)
        await aw_all(aw_timeout(60000, aw_race(a = held(10))));
    else
        await aw_join(spawn(held(10)), &a);
    say("never %d %d", a, b);
    return 0;
}

async int test_main(void)
{
    for (int how = 0; how < 7; how++) {
        aw_task *t = spawn(outer(how));
        for (int i = 0; i < 20; i++)
            await aw_yield();
        aw_cancel(t);
        int r = 5, rc = await aw_join(t, &r);
        say("%d: %d %d", how, rc == AW_ECANCELED, r);
    }
    return 0;
}
