/* SPDX-License-Identifier: MIT */
/* event_base_loop from an event. */
#include "../loops.h"
struct rpc {
    struct event_base *b;
    int answered;
};

static void rpc_sync(struct rpc *r, int flags)
{
    while (!r->answered)
        event_base_loop(r->b, flags); /* LEAF */
}

static void on_cmd(int fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    rpc_sync(arg, EVLOOP_ONCE); // EXPECT: awaitc-nested-loop
}

void rpc_start(struct rpc *r, int fd)
{
    event_add(event_new(r->b, fd, EV_READ, on_cmd, r), NULL);
}
