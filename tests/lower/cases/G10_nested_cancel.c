/* SPDX-License-Identifier: MIT */
/*
 * 4, 6: a cancel goes into nested groups: from a race, a timeout, a failure, or the task's own, the
 * innermost calls leave first; what returned all the same is assigned.
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

static async int after(int rounds, int v)
{
    HOLD(v);
    while (rounds-- > 0)
        await aw_yield();
    return v;
}

/* returns in spite of a cancel: no cancel point is left when it lands */
static async int stubborn(int v)
{
    HOLD(v);
    aw_task *t = spawn(after(1, v + 1));
    int r = 0;
    await aw_join(t, &r);
    return r;
}

static async int fails(int rounds)
{
    while (rounds-- > 0)
        await aw_yield();
    return -7;
}

static async int outer(int how)
{
    HOLD(1);
    int a = -1, b = -1, rc = -1;
    if (how == 0)
        await aw_all(aw_all(a = held(10), aw_all(b = held(20))), held(30));
    else if (how == 1)
        await aw_timeout(60000, rc = aw_try_all(a = held(10), rc = aw_race(b = held(20), held(30))));
    else
        await aw_race(aw_timeout(60000, aw_timeout(60000, a = held(10))), aw_all(aw_all(b = held(20))));
    say("never %d %d %d", a, b, rc);
    return 0;
}

async int test_main(void)
{
    int a = -1, b = -2, rc = -3, rc2 = -4;
    say("%d", await aw_race(aw_all(a = held(10), aw_all(b = held(20))), rc = after(2, 30)));
    say("%d %d %d", a, b, rc);
    say("%d", await aw_timeout(5, rc = aw_try_all(a = held(10), rc2 = aw_try_all(b = held(20)))) == AW_ETIMEDOUT);
    say("%d %d %d %d", a, b, rc, rc2);
    say("%d", await aw_try_all(rc = aw_try_all(a = held(10), fails(3)), aw_try_all(b = held(20), rc2 = aw_race(held(40)))));
    say("%d %d %d %d", a, b, rc, rc2);
    say("%d", await aw_race(fails(0), aw_all(a = held(10))));
    say("%d", await aw_race(aw_all(a = after(3, 50)), aw_all(b = after(2, 60))));
    say("%d %d", a, b);
    /* the nested group has its outcome when the cancel comes: it returns, and is assigned */
    rc = rc2 = -5;
    say("%d", await aw_race(rc = aw_race(a = after(2, 70), held(80)), rc2 = aw_timeout(60000, b = after(2, 90))));
    say("%d %d %d %d", rc, rc2, a, b);
    for (int how = 0; how < 3; how++) {
        aw_task *t = spawn(outer(how));
        for (int i = 0; i < 20; i++)
            await aw_yield();
        aw_cancel(t);
        int r = 5;
        rc = await aw_join(t, &r);
        say("%d: %d %d", how, rc == AW_ECANCELED, r);
    }
    aw_task *t = spawn(stubborn(3));
    rc = await aw_timeout(60000, rc2 = aw_join(t, &a));
    say("%d %d %d", rc, rc2, a);
    return 0;
}
