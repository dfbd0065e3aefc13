/* SPDX-License-Identifier: MIT */
/* A worker paces itself while it holds the queue. */
#include "../loops.h"
struct q {
    GMutex mu;
    int n;
};

static gpointer feeder(gpointer data)
{
    struct q *q = data;

    for (;;) {
        g_mutex_lock(&q->mu);
        q->n++;
        g_usleep(50000); // EXPECT: awaitc-blocking-under-lock
        g_mutex_unlock(&q->mu);
    }
    return NULL;
}

static gboolean drain(gpointer data)
{
    struct q *q = data;

    g_mutex_lock(&q->mu);
    q->n = 0;
    g_mutex_unlock(&q->mu);
    return TRUE;
}

void start(struct q *q)
{
    g_thread_new("feed", feeder, q);
    g_idle_add(drain, q);
}
