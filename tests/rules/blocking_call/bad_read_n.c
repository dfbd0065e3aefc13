/* SPDX-License-Identifier: MIT */
/* One readable event, and a loop that wants all N bytes: the peer that sends half stops all. */
#include "../loops.h"
#include <errno.h>
#include <unistd.h>

struct hello {
    char magic[8];
    unsigned len;
};
struct conn {
    int fd;
    struct hello h;
};

static int read_full(int fd, void *p, size_t n)
{
    char *at = p;
    while (n > 0) {
        ssize_t k = read(fd, at, n); /* LEAF */
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return -1;
        at += k;
        n -= (size_t)k;
    }
    return 0;
}

static int on_hello(sd_event_source *s, int fd, uint32_t revents, void *arg)
{
    struct conn *c = arg;

    (void)s;
    (void)revents;
    return read_full(fd, &c->h, sizeof c->h); // EXPECT: awaitc-blocking-call
}

int conn_watch(sd_event *e, struct conn *c)
{
    return sd_event_add_io(e, NULL, c->fd, 1, on_hello, c);
}
