/* SPDX-License-Identifier: MIT */
/* WITH: far_taker.c */
/* The worker is here; the callback that takes the lock is in the other file. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
struct store {
    pthread_mutex_t mu;
    int fd;
    char b[64];
};

static void *sync_main(void *arg)
{
    struct store *s = arg;

    pthread_mutex_lock(&s->mu);
    if (s->b[0])
        fdatasync(s->fd); // EXPECT: awaitc-blocking-under-lock
    pthread_mutex_unlock(&s->mu);
    return NULL;
}

void store_start(struct store *s)
{
    pthread_t t;
    pthread_create(&t, NULL, sync_main, s);
}
