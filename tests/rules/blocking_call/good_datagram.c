/* SPDX-License-Identifier: MIT */
/* connect() of a datagram socket only stores the address. */
#include "../loops.h"
#include <netinet/in.h>
#include <sys/socket.h>
struct dns {
    int fd;
    struct sockaddr_in to;
};

static gboolean retry(gpointer data)
{
    struct dns *d = data;
    d->fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (connect(d->fd, (struct sockaddr *)&d->to, sizeof d->to) < 0)
        return TRUE;
    return send(d->fd, "q", 1, 0) < 0;
}

void start(struct dns *d)
{
    g_timeout_add(100, retry, d);
}
