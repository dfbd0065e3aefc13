/* SPDX-License-Identifier: MIT */
/* The console's descriptor is a copy of a blocking pipe's. */
#include "../loops.h"
#include <unistd.h>
struct pump {
    int pipe[2];
    int out;
    char b[4096];
};

static int send_all(int fd, const char *p, size_t n)
{
    size_t at = 0;
    while (at < n) {
        ssize_t k = write(fd, p + at, n - at); /* LEAF */
        if (k <= 0)
            return -1;
        at += (size_t)k;
    }
    return 0;
}

static void on_in(struct ev_loop *loop, ev_io *w, int revents)
{
    struct pump *p = w->data;

    (void)loop;
    (void)revents;
    send_all(p->out, p->b, sizeof p->b); // EXPECT: awaitc-blocking-call
}

int pump_start(struct ev_loop *loop, struct pump *p, ev_io *w, int fd)
{
    if (pipe(p->pipe) < 0)
        return -1;
    p->out = dup(p->pipe[1]);
    ev_io_init(w, on_in, fd, 1);
    w->data = p;
    ev_io_start(loop, w);
    return 0;
}
