/* SPDX-License-Identifier: MIT */
/* libev's watchers are filled in by macros: no call hands the descriptor over. */
#include "../loops.h"

#include <sys/socket.h>

struct server {
    ev_io accept, probe;
    int clients;
};

static void on_client(struct ev_loop *l, ev_io *w, int revents)
{
    struct server *s = w->data;
    (void)l, (void)revents;
    s->clients++;
}

static int bound_socket(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd >= 0)
        listen(fd, 16);
    return fd;
}

void serve(struct ev_loop *l, struct server *s)
{
    int fd = bound_socket();
    ev_io_init(&s->accept, on_client, fd, 1); // EXPECT: awaitc-blocking-descriptor
    s->accept.data = s;
    ev_io_start(l, &s->accept);
}

void probe(struct ev_loop *l, struct server *s)
{
    ev_init(&s->probe, on_client);
    ev_io_set(&s->probe, socket(AF_INET, SOCK_DGRAM, 0), 1); // EXPECT: awaitc-blocking-descriptor
    ev_io_start(l, &s->probe);
}
