/* SPDX-License-Identifier: MIT */
/* connect() in non-blocking mode, completed by the loop. */
#include "../loops.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
struct up {
    int fd;
    struct sockaddr_in to;
};

static int set_nb(int fd, int on)
{
    int fl = fcntl(fd, F_GETFL);
    return fcntl(fd, F_SETFL, on ? fl | O_NONBLOCK : fl & ~O_NONBLOCK);
}

static void on_retry(int fd, short what, void *arg)
{
    struct up *u = arg;
    (void)fd;
    (void)what;
    u->fd = socket(AF_INET, SOCK_STREAM, 0);
    set_nb(u->fd, 1);
    if (connect(u->fd, (struct sockaddr *)&u->to, sizeof u->to) < 0 && errno != EINPROGRESS)
        u->fd = -1;
}

void start(struct event_base *b, struct up *u)
{
    event_add(evtimer_new(b, on_retry, u), NULL);
}
