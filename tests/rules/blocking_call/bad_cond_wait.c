/* SPDX-License-Identifier: MIT */
/* The loop waits for a worker's answer. */
#include "../loops.h"
#include <pthread.h>
struct job {
    pthread_mutex_t mu;
    pthread_cond_t cv;
    int done, value;
};

static int job_result(struct job *j)
{
    pthread_mutex_lock(&j->mu);
    while (!j->done)
        pthread_cond_wait(&j->cv, &j->mu); /* LEAF */
    pthread_mutex_unlock(&j->mu);
    return j->value;
}

static void on_poll(uv_timer_t *t)
{
    struct job *j = t->data;

    if (job_result(j) < 0) // EXPECT: awaitc-blocking-call
        t->data = NULL;
}

void job_watch(uv_timer_t *t, struct job *j)
{
    t->data = j;
    uv_timer_start(t, on_poll, 0, 10);
}
