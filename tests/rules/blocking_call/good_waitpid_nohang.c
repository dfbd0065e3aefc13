/* SPDX-License-Identifier: MIT */
/* SIGCHLD handled as it should be. */
#include "../loops.h"
#include <sys/wait.h>

static pid_t reap(int *st, int flags)
{
    pid_t p = waitpid(-1, st, flags | WNOHANG);
    return p;
}

static void on_chld(int sig, short what, void *arg)
{
    int st;
    (void)sig;
    (void)what;
    (void)arg;
    while (waitpid(-1, &st, WNOHANG) > 0)
        ;
    while (reap(&st, WUNTRACED) > 0)
        ;
}

void reaper(struct event_base *b)
{
    event_add(event_new(b, 17, EV_SIGNAL | EV_PERSIST, on_chld, NULL), NULL);
}
