/* SPDX-License-Identifier: MIT */
/* Reads until nothing is left, and goes on when a signal came between. */
#include "../loops.h"

#include <errno.h>
#include <sys/socket.h>

struct feed {
    char line[512];
    unsigned long bytes;
};

static int on_feed(sd_event_source *s, int fd, uint32_t revents, void *arg)
{
    struct feed *f = arg;
    ssize_t n;
    (void)s;
    (void)revents;
    while ((n = recv(fd, f->line, sizeof f->line, 0)) > 0 || // EXPECT: awaitc-drain-loop
           errno == EINTR) {
        if (n > 0)
            f->bytes += (unsigned long)n;
    }
    return 0;
}

int watch_feed(sd_event *e, sd_event_source **s, int fd, struct feed *f)
{
    return sd_event_add_io(e, s, fd, 1, on_feed, f);
}
