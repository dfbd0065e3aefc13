/* SPDX-License-Identifier: MIT */
/* A blocking listener: the client that gives up before accept() stops the loop. */
#include "../loops.h"
#include <sys/socket.h>
int take_client(int lfd);

static void on_conn(int fd, short what, void *arg)
{
    (void)what;
    (void)arg;
    take_client(fd);
}

static int open_listener(int family)
{
    int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && listen(fd, 16) < 0)
        return -1;
    return fd;
}

void listen_start(struct event_base *b)
{
    int fd = open_listener(AF_INET);
    event_add(event_new(b, fd, EV_READ | EV_PERSIST, on_conn, NULL), NULL); // EXPECT: awaitc-blocking-descriptor
}
