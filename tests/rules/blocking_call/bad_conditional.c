/* SPDX-License-Identifier: MIT */
/* FLAGS: -DHAVE_EPOLL=1 */
/* Both branches of the build wait. */
#include "../loops.h"
#ifdef HAVE_EPOLL
#include <sys/epoll.h>
#else
#include <poll.h>
#endif

static int drain_inner(int ep)
{
#ifdef HAVE_EPOLL
    struct epoll_event ev[8];
    return epoll_wait(ep, ev, 8, 250); /* LEAF */
#else
    return poll(NULL, 0, 250);
#endif
}

static void on_inner(uv_poll_t *p, int status, int events)
{
    (void)status;
    (void)events;
    drain_inner(*(int *)p->data); // EXPECT: awaitc-blocking-call
}

void inner_start(uv_loop_t *l, uv_poll_t *p, int ep)
{
    uv_poll_init(l, p, ep);
    uv_poll_start(p, 1, on_inner);
}
