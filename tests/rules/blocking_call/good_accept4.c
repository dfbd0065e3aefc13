/* SPDX-License-Identifier: MIT */
/* accept4 with the flag; a pipe2 with it; a socketpair with it. */
#include "../loops.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
struct srv {
    int lfd, wake[2], sp[2], cfd;
};

static void on_conn(int fd, short what, void *arg)
{
    struct srv *s = arg;
    char b[64];
    (void)what;
    s->cfd = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    while (read(s->wake[0], b, sizeof b) > 0)
        ;
    if (write(s->sp[1], "x", 1) < 0)
        return;
    recv(s->cfd, b, sizeof b, 0);
}

int srv_start(struct event_base *b, struct srv *s)
{
    s->lfd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (pipe2(s->wake, O_NONBLOCK | O_CLOEXEC) < 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, s->sp) < 0)
        return -1;
    return event_add(event_new(b, s->lfd, EV_READ, on_conn, s), NULL);
}
