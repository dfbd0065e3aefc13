/* SPDX-License-Identifier: MIT */
/* The same helpers, called on a thread of their own and from a pool. */
#include "../loops.h"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
struct rec {
    int fd;
    char b[4096];
    uv_async_t done;
    uv_work_t w;
};

static int fill(struct rec *r)
{
    size_t at = 0;
    while (at < sizeof r->b) {
        ssize_t k = read(r->fd, r->b + at, sizeof r->b - at);
        if (k <= 0)
            return -1;
        at += (size_t)k;
    }
    return fsync(r->fd);
}

static void *rec_main(void *arg)
{
    while (fill(arg) == 0)
        usleep(1000);
    return NULL;
}

static void work(uv_work_t *w)
{
    fill(w->data);
}

static void after(uv_work_t *w, int status)
{
    struct rec *r = w->data;
    if (status)
        r->fd = -1;
}

static gboolean start(gpointer data)
{
    struct rec *r = data;
    pthread_t t;
    r->w.data = r;
    uv_queue_work(NULL, &r->w, work, after);
    return pthread_create(&t, NULL, rec_main, r) == 0;
}

void rec_start(struct rec *r)
{
    g_idle_add(start, r);
}
