/* SPDX-License-Identifier: MIT */
/*
 * 5: aw_waker_get, aw_park and aw_wake: a wake before the park is not lost; leaves suspend for
 * real.
 */
// erased: none
// one-worker
#include "leaf.h"

static aw_waker waker;
static int event, asked;

static async int wait_for_event(void)
{
    while (!event) {
        waker = aw_waker_get();
        asked = 1;
        await aw_park();
    }
    return event;
}

static async int fires(void)
{
    while (!asked)
        await aw_yield();
    event = 7;
    aw_wake(&waker);
    return 1;
}

static int turns[2];

/* Both are under way before either ends, so a yield lets the other one run. */
static async int taking_turns(int id)
{
    for (int i = 0; i < 5; i++) {
        turns[id]++;
        await aw_yield();
    }
    return turns[!id] >= 3;
}

async int test_main(void)
{
    int a, b;
    await aw_all(a = wait_for_event(), b = fires());
    say("%d %d", a, b);
    aw_waker w = aw_waker_get();
    aw_wake(&w);
    await aw_park(); /* returns at once */
    say("not lost");
    aw_task *t = spawn(taking_turns(0)), *u = spawn(taking_turns(1));
    await aw_join(t, &a);
    await aw_join(u, &b);
    say("turns %d %d", a, b);
    say("%s", aw_task_self() != NULL ? "in a task" : "outside");
    return 0;
}
