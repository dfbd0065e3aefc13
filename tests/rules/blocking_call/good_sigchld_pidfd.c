/* SPDX-License-Identifier: MIT */
/* Child processes are started, not waited for. */
#include "../loops.h"
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
struct hook {
    pid_t pid;
    char *argv[4];
};

static void on_event(struct bufferevent *bev, short what, void *arg)
{
    struct hook *h = arg;
    (void)bev;
    (void)what;
    posix_spawn(&h->pid, h->argv[0], NULL, NULL, h->argv, environ);
}

static void on_chld(int sig, short what, void *arg)
{
    struct hook *h = arg;
    int st;
    (void)sig;
    (void)what;
    if (waitpid(h->pid, &st, WNOHANG) == h->pid)
        h->pid = 0;
}

void hook_start(struct event_base *b, struct bufferevent *bev, struct hook *h)
{
    bufferevent_setcb(bev, NULL, NULL, on_event, h);
    event_add(event_new(b, 17, EV_SIGNAL, on_chld, h), NULL);
}
