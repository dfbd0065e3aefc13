/* SPDX-License-Identifier: MIT */
/* A helper waits until the peer can take more. */
#include "../loops.h"
#include <errno.h>
#include <sys/select.h>
#include <sys/socket.h>

static int sock_writable(int fd, int secs)
{
    struct timeval tv = {.tv_sec = secs};
    fd_set w;
    FD_ZERO(&w);
    FD_SET(fd, &w);
    return select(fd + 1, NULL, &w, NULL, secs < 0 ? NULL : &tv); /* LEAF */
}

static ssize_t push(int fd, const void *p, size_t n)
{
    ssize_t k = send(fd, p, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (k < 0 && errno == EAGAIN && sock_writable(fd, 10) > 0)
        k = send(fd, p, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    return k;
}

static gboolean feed(int fd, GIOCondition c, gpointer data)
{
    (void)c;
    return push(fd, data, 9000) > 0; // EXPECT: awaitc-blocking-call
}

void feed_start(int fd, void *page)
{
    g_unix_fd_add(fd, G_IO_OUT, feed, page);
}
