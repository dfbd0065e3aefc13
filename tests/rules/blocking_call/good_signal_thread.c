/* SPDX-License-Identifier: MIT */
/* A thread that waits for signals; the loop only hears of them. */
#include "../loops.h"
#include <pthread.h>
#include <signal.h>

static sigset_t set;

static void *sig_main(void *arg)
{
    int sig;
    while (sigwait(&set, &sig) == 0)
        ++*(int *)arg;
    return NULL;
}

static void on_tick(uv_timer_t *t)
{
    int *n = t->data;
    *n = 0;
}

void start(uv_timer_t *t)
{
    pthread_t th;
    pthread_create(&th, NULL, sig_main, t->data);
    uv_timer_start(t, on_tick, 1, 1);
}
