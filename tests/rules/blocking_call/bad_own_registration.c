/* SPDX-License-Identifier: MIT */
/* The callback goes through the project's own timer, which is a libuv one below. */
#include "../loops.h"
#include <stdlib.h>
#include <unistd.h>
typedef void (*tick_fn)(void *arg);
struct tick {
    uv_timer_t t;
    tick_fn fn;
    void *arg;
};

static void tick_fire(uv_timer_t *t)
{
    struct tick *k = t->data;
    k->fn(k->arg); // EXPECT: awaitc-blocking-call
}

void tick_every(struct tick *k, unsigned ms, tick_fn fn, void *arg)
{
    k->fn = fn;
    k->arg = arg;
    k->t.data = k;
    uv_timer_start(&k->t, tick_fire, ms, ms);
}

static void flush_stats(void *arg)
{
    (void)arg;
    sync(); /* LEAF */
}

void stats_start(struct tick *k)
{
    tick_every(k, 60000, flush_stats, NULL);
}
