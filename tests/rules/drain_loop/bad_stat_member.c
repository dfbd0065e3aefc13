/* SPDX-License-Identifier: MIT */
/* A counter that is called stat makes no file of a socket. */
#include "../loops.h"

#include <unistd.h>

struct conn {
    char in[4096];
    struct {
        size_t bytes;
    } stat;
};
void feed(struct conn *c, const char *p, ssize_t n);

static void on_input(int fd, short what, void *arg)
{
    struct conn *c = arg;
    ssize_t n;
    (void)what;
    while ((n = read(fd, c->in, sizeof c->in)) > 0) { // EXPECT: awaitc-drain-loop
        c->stat.bytes += (size_t)n;
        feed(c, c->in, n);
    }
}

void set_up(struct event_base *base, struct conn *c, int fd)
{
    evutil_make_socket_nonblocking(fd);
    event_add(event_new(base, fd, EV_READ, on_input, c), NULL);
}
