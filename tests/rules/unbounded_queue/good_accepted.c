/* SPDX-License-Identifier: MIT */
/* A connection joins the list of all: their number has limits of its own. */
#include "../loops.h"

#include <stdlib.h>
#include <sys/socket.h>

struct client {
    int fd;
    struct client *next;
};
static struct client *clients;

static void on_accept(int fd, short what, void *arg)
{
    (void)what;
    (void)arg;
    int peer = accept4(fd, NULL, NULL, SOCK_NONBLOCK);
    if (peer < 0)
        return;
    struct client *c = calloc(1, sizeof *c);
    if (c == NULL)
        return;
    c->fd = peer;
    c->next = clients;
    clients = c;
}

void set_up(struct event_base *base, int fd)
{
    event_add(event_new(base, fd, EV_READ | EV_PERSIST, on_accept, NULL), NULL);
}
