/* SPDX-License-Identifier: MIT */
/*
 * 4: a group that is cancelled before it is decided: what branches have returned by then, at once
 * or late, is assigned before the scopes are left; the places of the others stay as they are.
 */
// erased: none
// one-worker
#include "leaf.h"

struct places {
    int ready, late, never;
    double wide;
    unsigned bits : 3;
};

static struct places seen;

static async int value(int v, int turns)
{
    while (turns-- > 0)
        await aw_yield();
    return v;
}

static async int forever(void)
{
    HOLD(9);
    await aw_park();
    return 0;
}

static async void without_cleanups(struct places *p)
{
    await aw_all(p->ready = value(1, 0), p->late = value(2, 3), p->never = forever(),
                 p->wide = value(4, 2), p->bits = value(13, 1));
    say("not reached");
}

static async void with_cleanups(struct places *p)
{
    int a = -1, b = -1, c = -1, array[3] = {-1, -1, -1};
    int *place = array;
    defer
    {
        say("left: %d %d %d, %d %d %d", a, b, c, array[0], array[1], array[2]);
    }
    await aw_try_all(a = value(1, 0), *place++ = value(2, 1), b = value(3, 2),
                     *place++ = value(4, 3), c = forever(), *place = forever());
    say("not reached %p", (void *)p);
}

static async void many(struct places *p)
{
    seen.late = -1;
    await aw_all(aw_all(seen.late = value(5, 2), forever()), p->never = value(6, 1));
}

static async void cancelled_first(struct places *p)
{
    aw_cancel(aw_task_self());
    await aw_all(p->ready = value(1, 0), p->late = value(2, 1));
}

typedef async void (*shape)(struct places *);

async int test_main(void)
{
    shape shapes[] = {without_cleanups, with_cleanups, many, cancelled_first};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        struct places p = {-1, -1, -1, -1, 7};
        aw_task *t = spawn(shapes[i](&p));
        for (int k = 0; k < 20; k++)
            await aw_yield();
        aw_cancel(t);
        int rc = await aw_join(t, NULL);
        say("%d: %d %d %d %d %g %u, %d", (int)i, rc == AW_ECANCELED, p.ready, p.late, p.never, p.wide,
            p.bits, seen.late);
    }
    return 0;
}
