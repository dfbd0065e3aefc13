/* SPDX-License-Identifier: MIT */
/* A short critical section is right in a callback. */
#include "../loops.h"
#include <pthread.h>
struct q {
    pthread_mutex_t mu;
    pthread_cond_t cv;
    int n;
};

static void q_add(struct q *q)
{
    pthread_mutex_lock(&q->mu);
    q->n++;
    pthread_cond_signal(&q->cv);
    pthread_mutex_unlock(&q->mu);
}

static int q_take(struct q *q)
{
    pthread_mutex_lock(&q->mu);
    while (q->n == 0)
        pthread_cond_wait(&q->cv, &q->mu);
    int n = q->n--;
    pthread_mutex_unlock(&q->mu);
    return n;
}

static void *worker(void *arg)
{
    while (q_take(arg) > 0)
        ;
    return NULL;
}

static gboolean push(gpointer data)
{
    q_add(data);
    return TRUE;
}

void q_start(struct q *q)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, q);
    g_timeout_add(10, push, q);
}
