/* SPDX-License-Identifier: MIT */
/* A loop around epoll_wait is an event loop, with one function to serve and without main in sight. */
#include <sys/epoll.h>
#include <sys/socket.h>

struct peer {
    int fd;
    char buf[16384];
};
void consume(struct peer *p, size_t n);

static int handle_in(struct peer *p)
{
    ssize_t n;
    while ((n = recv(p->fd, p->buf, sizeof p->buf, MSG_DONTWAIT)) > 0) // EXPECT: awaitc-drain-loop
        consume(p, (size_t)n);
    return n == 0 ? -1 : 0;
}

void serve(int ep)
{
    struct epoll_event ev[64];
    for (;;) {
        int n = epoll_wait(ep, ev, 64, -1);
        for (int i = 0; i < n; i++)
            handle_in(ev[i].data.ptr);
    }
}
