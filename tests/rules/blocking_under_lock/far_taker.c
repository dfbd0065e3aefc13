/* SPDX-License-Identifier: MIT */
#include "../loops.h"
#include <pthread.h>
struct store {
    pthread_mutex_t mu;
    int fd;
    char b[64];
};

static gboolean touch(gpointer data)
{
    struct store *s = data;

    pthread_mutex_lock(&s->mu);
    s->b[0] = 1;
    pthread_mutex_unlock(&s->mu);
    return TRUE;
}

void touch_start(struct store *s)
{
    g_timeout_add(10, touch, s);
}
