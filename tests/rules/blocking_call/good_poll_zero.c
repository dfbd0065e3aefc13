/* SPDX-License-Identifier: MIT */
/* Polls that only look. */
#include "../loops.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

static int is_ready(int fd)
{
    struct pollfd p = {fd, POLLIN, 0};
    return poll(&p, 1, 0) == 1;
}

static int look(int fd, int ms)
{
    struct pollfd p = {fd, POLLIN, 0};
    return poll(&p, 1, ms);
}

static int sel(int fd)
{
    struct timeval tv = {0, 0};
    fd_set r;
    FD_ZERO(&r);
    FD_SET(fd, &r);
    return select(fd + 1, &r, NULL, NULL, &tv);
}

static gboolean idle(gpointer data)
{
    int fd = *(int *)data;
    struct epoll_event e;
    const int now = 0;
    return is_ready(fd) + look(fd, now) + sel(fd) + epoll_wait(fd, &e, 1, 0);
}

void idle_start(int *fd)
{
    g_idle_add(idle, fd);
}
