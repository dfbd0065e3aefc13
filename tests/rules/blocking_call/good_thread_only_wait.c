/* SPDX-License-Identifier: MIT */
/* One function for both sides: whoever asks on the thread waits, the loop does not. */
#include "../loops.h"
#include <pthread.h>
#include <stdbool.h>
struct q {
    pthread_mutex_t mu;
    pthread_cond_t cv;
    int n;
};

static int q_pop(struct q *q, bool wait)
{
    int r = -1;
    pthread_mutex_lock(&q->mu);
    while (q->n == 0 && wait)
        pthread_cond_wait(&q->cv, &q->mu);
    if (q->n > 0)
        r = q->n--;
    pthread_mutex_unlock(&q->mu);
    return r;
}

static void *thread_main(void *arg)
{
    while (q_pop(arg, true) >= 0)
        ;
    return NULL;
}

static void on_async(uv_async_t *a)
{
    while (q_pop(a->data, false) >= 0)
        ;
}

void start(uv_loop_t *l, uv_async_t *a, struct q *q)
{
    pthread_t t;
    a->data = q;
    pthread_create(&t, NULL, thread_main, q);
    uv_async_init(l, a, on_async);
}
