/* SPDX-License-Identifier: MIT */
/* A descriptor kept in an object, switched by a helper with ioctl, used by another file's way. */
#include "../loops.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct link {
    int fd, state;
    struct sockaddr_in to;
    char out[256];
    size_t len;
};

static int unblock(int fd)
{
    int on = 1;
    return ioctl(fd, FIONBIO, &on);
}

static int link_open(struct link *l)
{
    l->fd = socket(AF_INET, SOCK_STREAM, IPPROTO_TCP);
    if (l->fd < 0 || unblock(l->fd) < 0)
        return -1;
    return connect(l->fd, (struct sockaddr *)&l->to, sizeof l->to) == 0 || errno == EINPROGRESS;
}

static int link_flush(struct link *l)
{
    ssize_t n = send(l->fd, l->out, l->len, MSG_NOSIGNAL);
    if (n > 0)
        l->len -= (size_t)n;
    return n < 0 && errno != EAGAIN ? -1 : 0;
}

static void on_retry(uv_timer_t *t)
{
    struct link *l = t->data;
    if (l->state == 0)
        l->state = link_open(l);
    if (l->state > 0 && link_flush(l) < 0)
        close(l->fd);
}

void link_start(uv_timer_t *t, struct link *l)
{
    t->data = l;
    uv_timer_start(t, on_retry, 0, 100);
}
