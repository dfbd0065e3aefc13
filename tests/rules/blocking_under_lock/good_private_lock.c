/* SPDX-License-Identifier: MIT */
/* The lock is the worker threads' own: no callback takes it. */
#include "../loops.h"
#include <pthread.h>
#include <unistd.h>
struct log {
    pthread_mutex_t mu, shared;
    int fd, n;
};

static void *writer(void *arg)
{
    struct log *l = arg;
    pthread_mutex_lock(&l->mu);
    fsync(l->fd);
    pthread_mutex_unlock(&l->mu);
    return NULL;
}

static gboolean tick(gpointer data)
{
    struct log *l = data;
    pthread_mutex_lock(&l->shared);
    l->n++;
    pthread_mutex_unlock(&l->shared);
    return TRUE;
}

void start(struct log *l)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, l);
    pthread_create(&b, NULL, writer, l);
    g_timeout_add(5, tick, l);
}
