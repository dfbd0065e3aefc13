/* SPDX-License-Identifier: MIT */
/* The wrapper passes its caller's flags on: 0 waits, MSG_DONTWAIT does not. */
#include "../loops.h"
#include <sys/socket.h>
struct ctl {
    int sock;
};

static ssize_t ctl_recv(struct ctl *c, void *p, size_t n, int flags)
{
    return recv(c->sock, p, n, flags | MSG_NOSIGNAL); /* LEAF */
}

static void on_ready(uv_poll_t *p, int status, int events)
{
    struct ctl *c = p->data;
    char b[64];

    (void)status;
    (void)events;
    ctl_recv(c, b, sizeof b, MSG_DONTWAIT);
}

static void on_timer(uv_timer_t *t)
{
    struct ctl *c = t->data;
    char b[64];

    ctl_recv(c, b, sizeof b, 0); // EXPECT: awaitc-blocking-call
}

int ctl_start(struct ctl *c, uv_poll_t *p, uv_timer_t *t)
{
    c->sock = socket(AF_UNIX, SOCK_STREAM, 0);
    uv_poll_start(p, 1, on_ready);
    return uv_timer_start(t, on_timer, 10, 10);
}
