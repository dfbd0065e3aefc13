/* SPDX-License-Identifier: MIT */
/* The real libev macros: ev_init stores into the field. */
#include "../loops.h"
#include <netdb.h>
struct peer {
    ev_io io;
    ev_timer t;
    char host[64];
};

static void on_dead(struct ev_loop *loop, ev_timer *w, int revents)
{
    struct peer *p = w->data;
    struct addrinfo *ai = NULL;

    (void)loop;
    (void)revents;
    if (getaddrinfo(p->host, "5000", NULL, &ai) == 0) // EXPECT: awaitc-blocking-call
        freeaddrinfo(ai);
}

void peer_start(struct ev_loop *loop, struct peer *p)
{
    ev_init(&p->t, on_dead);
    ev_timer_set(&p->t, 5., 0.);
    p->t.data = p;
    ev_timer_start(loop, &p->t);
}
