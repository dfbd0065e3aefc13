/* SPDX-License-Identifier: MIT */
/* Handlers that the program's own loop calls through a pointer in each connection. */
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <time.h>

struct conn { int fd; void (*on_event)(struct conn *, unsigned); unsigned sent; };

static void throttle(unsigned sent)
{
    struct timespec ts = {0, 1000000};

    while (sent > 1000) {
        nanosleep(&ts, NULL);
        sent -= 1000;
    }
}

static void conn_event(struct conn *c, unsigned events)
{
    char buf[4096];
    ssize_t n = recv(c->fd, buf, sizeof buf, MSG_DONTWAIT);

    (void)events;
    if (n > 0) {
        c->sent += (unsigned)n;
        throttle(c->sent); // EXPECT: awaitc-blocking-call
    }
}

void conn_init(struct conn *c, int fd)
{
    c->fd = fd;
    c->on_event = conn_event;
}

void loop(int ep)
{
    struct epoll_event ev[64];

    for (;;) {
        int n = epoll_wait(ep, ev, 64, -1);
        for (int i = 0; i < n; i++) {
            struct conn *c = ev[i].data.ptr;
            c->on_event(c, ev[i].events);
        }
    }
}
