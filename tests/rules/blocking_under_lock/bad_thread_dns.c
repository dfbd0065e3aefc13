/* SPDX-License-Identifier: MIT */
/* A helper thread resolves under the lock that a callback takes through a function. */
#include "../loops.h"
#include <netdb.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct addrinfo *known;

static int resolve(const char *name)
{
    return getaddrinfo(name, "443", NULL, &known); /* LEAF */
}

static void *resolver_main(void *arg)
{
    pthread_mutex_lock(&lock);
    resolve(arg); // EXPECT: awaitc-blocking-under-lock
    pthread_mutex_unlock(&lock);
    return NULL;
}

static struct addrinfo *current(void)
{
    pthread_mutex_lock(&lock);
    struct addrinfo *ai = known;
    pthread_mutex_unlock(&lock);
    return ai;
}

static gboolean tick(gpointer data)
{
    return current() != data;
}

void start(char *name)
{
    pthread_t t;
    pthread_create(&t, NULL, resolver_main, name);
    g_timeout_add(100, tick, NULL);
}
