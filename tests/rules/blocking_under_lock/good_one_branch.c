/* SPDX-License-Identifier: MIT */
/* On the way to the wait the lock is given back. */
#include "../loops.h"
#include <pthread.h>
#include <unistd.h>
struct s {
    pthread_mutex_t mu;
    int dirty, fd;
};

static void *flusher(void *arg)
{
    struct s *s = arg;
    for (;;) {
        pthread_mutex_lock(&s->mu);
        if (s->dirty) {
            s->dirty = 0;
            pthread_mutex_unlock(&s->mu);
            fsync(s->fd);
            continue;
        }
        pthread_mutex_unlock(&s->mu);
        usleep(1000);
    }
}

static gboolean tick(gpointer data)
{
    struct s *s = data;
    pthread_mutex_lock(&s->mu);
    s->dirty = 1;
    pthread_mutex_unlock(&s->mu);
    return TRUE;
}

void start(struct s *s)
{
    pthread_t t;
    pthread_create(&t, NULL, flusher, s);
    g_timeout_add(5, tick, s);
}
