/* SPDX-License-Identifier: MIT */
/* A mode that nobody shows, but code that leaves at EAGAIN: it counts on non-blocking. */
#include "../loops.h"
#include <errno.h>
#include <unistd.h>

static int on_wakeup(sd_event_source *s, int fd, uint32_t revents, void *arg)
{
    char b[64];
    (void)s;
    (void)revents;
    (void)arg;
    for (int i = 0; i < 16; i++) {
        ssize_t n = read(fd, b, sizeof b);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EAGAIN ? 0 : -errno;
        if (n < (ssize_t)sizeof b)
            break;
    }
    return 0;
}

int wake_start(sd_event *e, int fd)
{
    return sd_event_add_io(e, NULL, fd, 1, on_wakeup, NULL);
}
