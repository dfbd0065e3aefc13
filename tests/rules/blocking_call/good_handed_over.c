/* SPDX-License-Identifier: MIT */
/* The loop hands the descriptor over, one read an event. */
#include "../loops.h"
#include <sys/socket.h>
#include <unistd.h>
struct conn {
    int fd;
    char b[1024];
    size_t n;
};

static int on_in(sd_event_source *s, int fd, uint32_t revents, void *arg)
{
    struct conn *c = arg;
    ssize_t k = read(fd, c->b + c->n, sizeof c->b - c->n);

    (void)s;
    (void)revents;
    if (k > 0)
        c->n += (size_t)k;
    return 0;
}

static int on_out(sd_event_source *s, int fd, uint32_t revents, void *arg)
{
    struct conn *c = arg;
    ssize_t k = send(fd, c->b, c->n, MSG_NOSIGNAL);
    (void)s;
    (void)revents;
    if (k > 0)
        c->n -= (size_t)k;
    return 0;
}

int conn_start(sd_event *e, struct conn *c)
{
    sd_event_add_io(e, NULL, c->fd, 4, on_out, c);
    return sd_event_add_io(e, NULL, c->fd, 1, on_in, c);
}
