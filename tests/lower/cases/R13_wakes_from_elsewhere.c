/* SPDX-License-Identifier: MIT */
/* R13, R6: a wake from another thread at any moment, and from a signal handler, is not lost. */
// erased: none
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include "leaf.h"

static aw_waker waker;
static int rounds_asked, rounds_done;

static void *waking(void *unused)
{
    (void)unused;
    for (int i = 1; i <= 2000; i++) {
        while (__atomic_load_n(&rounds_asked, __ATOMIC_ACQUIRE) < i)
            ;
        __atomic_store_n(&rounds_done, i, __ATOMIC_RELEASE);
        aw_wake(&waker);
    }
    return NULL;
}

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    (void)number;
    caught = 1;
    aw_wake(&waker);
}

async int test_main(void)
{
    pthread_t thread;
    waker = aw_waker_get();
    pthread_create(&thread, NULL, waking, NULL);
    for (int i = 1; i <= 2000; i++) {
        waker = aw_waker_get();
        __atomic_store_n(&rounds_asked, i, __ATOMIC_RELEASE);
        while (__atomic_load_n(&rounds_done, __ATOMIC_ACQUIRE) < i)
            await aw_park();
    }
    pthread_join(thread, NULL);
    say("rounds %d", rounds_done);
    waker = aw_waker_get();
    signal(SIGALRM, on_signal);
    alarm(1);
    while (!caught)
        await aw_park();
    say("caught %d", caught);
    return 0;
}
