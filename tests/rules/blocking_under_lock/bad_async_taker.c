/* SPDX-License-Identifier: MIT */
/* A task takes the lock that a pool job holds over a system(). */
#include <awaitc.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int state;

static int rebuild(const char *cmd)
{
    int r;
    pthread_mutex_lock(&mu);
    r = system(cmd); // EXPECT: awaitc-blocking-under-lock
    state = r;
    pthread_mutex_unlock(&mu);
    return r;
}

async int serve(void)
{
    int s;
    pthread_mutex_lock(&mu);
    s = state;
    pthread_mutex_unlock(&mu);
    if (s != 0)
        s = await aw_blocking(rebuild("make"));
    return s;
}
