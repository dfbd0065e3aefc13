/* SPDX-License-Identifier: MIT */
/* The worker copies under the lock and waits outside. */
#include "../loops.h"
#include <pthread.h>
#include <unistd.h>
struct tab {
    pthread_mutex_t mu;
    pthread_cond_t cv;
    int fd, n;
};

static void *saver(void *arg)
{
    struct tab *t = arg;
    int fd;

    pthread_mutex_lock(&t->mu);
    while (t->n == 0)
        pthread_cond_wait(&t->cv, &t->mu);
    t->n = 0;
    fd = t->fd;
    pthread_mutex_unlock(&t->mu);
    fsync(fd);
    return NULL;
}

static gboolean tick(gpointer data)
{
    struct tab *t = data;
    pthread_mutex_lock(&t->mu);
    t->n++;
    pthread_cond_signal(&t->cv);
    pthread_mutex_unlock(&t->mu);
    return TRUE;
}

void start(struct tab *t)
{
    pthread_t th;
    pthread_create(&th, NULL, saver, t);
    g_timeout_add(5, tick, t);
}
