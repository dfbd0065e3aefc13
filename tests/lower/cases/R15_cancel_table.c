/* SPDX-License-Identifier: MIT */
/*
 * R15, F14, language.md 4: cancelled before the first run, twice, after the end, a joiner that is
 * cancelled; results untouched; NULL handles.
 */
// erased: none
// one-worker
#include "leaf.h"

static async int sleeper(int id)
{
    HOLD(id);
    for (;;)
        await aw_yield();
    return id;
}

static async int brief(int v)
{
    return await t_int(v);
}

static async int joiner(aw_task *t)
{
    HOLD(50);
    int r = 0, rc = await aw_join(t, &r);
    say("never %d", rc);
    return r;
}

static async void breathe(int n)
{
    while (n-- > 0)
        await aw_yield();
}

/* Reaches no await after it started: a cancel does not stop it. */
static async int stubborn(int v)
{
    say("stubborn");
    return v;
}

static async int in_loop(void)
{
    int n = 0;
    while (n < 100) {
        n++;
        await aw_yield();
        if (n == 5)
            aw_cancel(aw_task_self());
        if (n == 6)
            say("never");
        if (n == 5)
            say("goes on to its next await");
    }
    return n;
}

async int test_main(void)
{
    int r = 123;
    aw_task *t = spawn(sleeper(1));
    aw_cancel(t); /* before it ran */
    say("%d", await aw_join(t, &r) == AW_ECANCELED);
    t = spawn(sleeper(2));
    await breathe(10);
    aw_cancel(t);
    aw_cancel(t); /* twice */
    say("%d %d", await aw_join(t, &r) == AW_ECANCELED, r);
    t = spawn(brief(7));
    await breathe(50);
    aw_cancel(t); /* after it ended */
    say("%d %d", await aw_join(t, &r), r);
    aw_task *inner = spawn(sleeper(3));
    await breathe(10);
    t = spawn(joiner(inner));
    await breathe(10);
    aw_cancel(t); /* the task that it waited for goes first */
    say("%d", await aw_join(t, NULL) == AW_ECANCELED);
    aw_cancel(NULL);
    aw_detach(NULL);
    say("%d", await aw_join(NULL, &r) == -EINVAL);
    t = spawn(stubborn(5));
    await breathe(3);
    aw_cancel(t);
    say("%d %d", await aw_join(t, &r), r);
    t = spawn(in_loop());
    say("%d", await aw_join(t, &r) == AW_ECANCELED);
    spawn(brief(1)); /* detached */
    t = spawn(brief(2));
    aw_detach(t);
    await breathe(50);
    return 0;
}
