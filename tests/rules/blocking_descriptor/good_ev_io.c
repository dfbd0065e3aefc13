/* SPDX-License-Identifier: MIT */
/* libev's watchers over descriptors that are non-blocking, or reported where they are read. */
#include "../loops.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

struct server {
    ev_io accept, peer;
    int clients;
};

static void on_client(struct ev_loop *l, ev_io *w, int revents)
{
    struct server *s = w->data;
    (void)l, (void)revents;
    s->clients++;
}

static void set_nonblocking(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

void serve(struct ev_loop *l, struct server *s)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    set_nonblocking(fd);
    ev_io_init(&s->accept, on_client, fd, 1);
    ev_io_start(l, &s->accept);
}

void watch_peer(struct ev_loop *l, struct server *s)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    ev_io_init(&s->peer, on_client, fd, 1);
    ev_io_start(l, &s->peer);
}

/* Not one of libev's. */
struct record {
    int fd;
};
void note(struct record *r)
{
    r->fd = socket(AF_INET, SOCK_STREAM, 0);
}
