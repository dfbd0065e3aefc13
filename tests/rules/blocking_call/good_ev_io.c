/* SPDX-License-Identifier: MIT */
/* libev with its macros, and a read of what is watched. */
#include "../loops.h"
#include <unistd.h>
struct in {
    ev_io io;
    char b[64];
};

static void on_in(struct ev_loop *loop, ev_io *w, int revents)
{
    struct in *in = (struct in *)w;
    (void)loop;
    (void)revents;
    if (read(w->fd, in->b, sizeof in->b) <= 0)
        w->active = 0;
}

void in_start(struct ev_loop *loop, struct in *in, int fd)
{
    ev_io_init(&in->io, on_in, fd, 1);
    ev_io_start(loop, &in->io);
}
