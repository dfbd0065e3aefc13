/* SPDX-License-Identifier: MIT */
/* The helper gives the lock back before it sleeps, and takes it again. */
#include "../loops.h"

#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t table_lock;
static int generation;

static void step_aside(int us)
{
    if (us > 0) {
        pthread_mutex_unlock(&table_lock);
        usleep((unsigned)us);
        pthread_mutex_lock(&table_lock);
    }
    generation++;
}

static void *crawl(void *arg)
{
    pthread_mutex_lock(&table_lock);
    for (int i = 0; i < 100; i++)
        step_aside(*(int *)arg);
    pthread_mutex_unlock(&table_lock);
    return NULL;
}

static void on_lookup(int fd, short what, void *arg)
{
    (void)fd, (void)what;
    pthread_mutex_lock(&table_lock);
    *(int *)arg = generation;
    pthread_mutex_unlock(&table_lock);
}

int start(struct event_base *b, pthread_t *t, int *us)
{
    event_add(event_new(b, -1, EV_PERSIST, on_lookup, us), NULL);
    return pthread_create(t, NULL, crawl, us);
}
