/* SPDX-License-Identifier: MIT */
/* A pool job writes and syncs while it holds the lock of the loop's table. */
#include "../loops.h"
#include <unistd.h>
struct tab {
    uv_mutex_t mu;
    uv_work_t w;
    uv_timer_t t;
    int fd, n;
};

static void save(uv_work_t *w)
{
    struct tab *t = w->data;

    uv_mutex_lock(&t->mu);
    if (t->n > 0)
        fsync(t->fd); // EXPECT: awaitc-blocking-under-lock
    uv_mutex_unlock(&t->mu);
}

static void saved(uv_work_t *w, int status)
{
    (void)w;
    (void)status;
}

static void tick(uv_timer_t *t)
{
    struct tab *b = t->data;

    uv_mutex_lock(&b->mu);
    b->n++;
    uv_mutex_unlock(&b->mu);
    uv_queue_work(NULL, &b->w, save, saved);
}

void start(struct tab *t)
{
    t->t.data = t->w.data = t;
    uv_timer_start(&t->t, tick, 1, 1);
}
