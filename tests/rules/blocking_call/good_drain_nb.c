/* SPDX-License-Identifier: MIT */
/* Loops until EAGAIN, over descriptors that are non-blocking. */
#include "../loops.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
struct c {
    int fd, out;
    char b[512];
};

static int out_all(int fd, const char *p, size_t n)
{
    size_t at = 0;
    while (at < n) {
        ssize_t k = write(fd, p + at, n - at);
        if (k < 0 && errno == EAGAIN)
            return (int)at;
        if (k < 0 && errno != EINTR)
            return -1;
        if (k > 0)
            at += (size_t)k;
    }
    return (int)at;
}

static gboolean on_in(int fd, GIOCondition cond, gpointer data)
{
    struct c *c = data;
    ssize_t n = read(fd, c->b, sizeof c->b);
    (void)cond;
    if (n > 0)
        out_all(c->out, c->b, (size_t)n);
    return TRUE;
}

void start(struct c *c)
{
    c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    g_unix_set_fd_nonblocking(c->out, TRUE, NULL);
    g_unix_fd_add(c->fd, G_IO_IN, on_in, c);
}
