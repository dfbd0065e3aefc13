/* SPDX-License-Identifier: MIT */
/* MSG_WAITALL on a socket that the listener accepted in blocking mode. */
#include "../loops.h"
#include <sys/socket.h>

struct conn {
    int fd;
    unsigned char head[12];
};

static void on_readable(int fd, short what, void *arg)
{
    struct conn *c = arg;

    (void)what;
    recv(fd, c->head, sizeof c->head, MSG_WAITALL); // EXPECT: awaitc-blocking-call
}

void on_accept(struct event_base *b, struct conn *c, int lfd)
{
    c->fd = accept(lfd, NULL, NULL);
    event_add(event_new(b, c->fd, EV_READ | EV_PERSIST, on_readable, c), NULL);
}
