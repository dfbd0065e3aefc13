/* SPDX-License-Identifier: MIT */
/* wait_for(…, 0) only looks; wait_for(…, -1) waits for good. */
#include "../loops.h"
#include <poll.h>

static int wait_for(int fd, short events, int ms)
{
    struct pollfd p = {.fd = fd, .events = events};
    return poll(&p, 1, ms); /* LEAF */
}

static void on_out(int fd, short what, void *arg)
{
    (void)what;
    (void)arg;
    if (wait_for(fd, POLLOUT, 0) == 1)
        return;
    wait_for(fd, POLLOUT, -1); // EXPECT: awaitc-blocking-call
}

void out_watch(struct event_base *b, int fd)
{
    event_add(event_new(b, fd, EV_WRITE, on_out, NULL), NULL);
}
