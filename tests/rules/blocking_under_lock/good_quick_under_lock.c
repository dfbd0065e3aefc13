/* SPDX-License-Identifier: MIT */
/* What is done under the lock is quick: a flag, a non-blocking send. */
#include "../loops.h"
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
struct s {
    pthread_mutex_t mu;
    int fd;
    char b[32];
};

static void *sender(void *arg)
{
    struct s *s = arg;
    int st;
    pthread_mutex_lock(&s->mu);
    send(s->fd, s->b, sizeof s->b, MSG_DONTWAIT);
    waitpid(-1, &st, WNOHANG);
    memset(s->b, 0, sizeof s->b);
    pthread_mutex_unlock(&s->mu);
    return NULL;
}

static gboolean tick(gpointer data)
{
    struct s *s = data;
    pthread_mutex_lock(&s->mu);
    s->b[0]++;
    pthread_mutex_unlock(&s->mu);
    return TRUE;
}

void start(struct s *s)
{
    pthread_t t;
    pthread_create(&t, NULL, sender, s);
    g_timeout_add(5, tick, s);
}
