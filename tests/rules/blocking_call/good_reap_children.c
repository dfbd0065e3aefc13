/* SPDX-License-Identifier: MIT */
/* Children are collected as they end, in a loop that never waits for one. */
#include "../loops.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int wake[2];
struct child {
    pid_t pid;
    int status;
};

static void on_sigchld(int number)
{
    char c = (char)number;
    if (write(wake[1], &c, 1) < 0)
        return;
}

static void reap(struct child *c)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid == c->pid)
            c->status = status;
    }
}

static void on_wake(int fd, short what, void *arg)
{
    char many[64];
    (void)what;
    while (read(fd, many, sizeof many) == (ssize_t)sizeof many)
        ;
    reap(arg);
}

int watch_children(struct event_base *b, struct child *c)
{
    if (pipe2(wake, O_NONBLOCK | O_CLOEXEC) != 0)
        return -1;
    signal(SIGCHLD, on_sigchld);
    return event_add(event_new(b, wake[0], EV_READ | EV_PERSIST, on_wake, c), NULL);
}

/* Before the loop, and behind it. */
int run_once(struct event_base *b, struct child *c)
{
    waitpid(c->pid, &c->status, 0);
    int end = event_base_dispatch(b);
    return waitpid(c->pid, &c->status, 0) < 0 ? -1 : end;
}
