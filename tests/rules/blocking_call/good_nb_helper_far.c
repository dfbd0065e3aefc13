/* SPDX-License-Identifier: MIT */
/* WITH: far_nonblock.c */
/* A helper of another file makes the socket and switches it. */
#include "../loops.h"
#include <sys/socket.h>
int far_listen(int port);
int far_set_nonblock(int fd);
struct srv {
    int lfd, ctl;
};

static void on_conn(int fd, short what, void *arg)
{
    struct srv *s = arg;
    char b[16];
    (void)what;
    int c = accept(fd, NULL, NULL);
    if (c >= 0)
        far_set_nonblock(c);
    while (recv(s->ctl, b, sizeof b, 0) > 0)
        ;
    accept(s->lfd, NULL, NULL);
}

void srv_start(struct event_base *b, struct srv *s)
{
    s->lfd = far_listen(80);
    s->ctl = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (far_set_nonblock(s->ctl) == 0)
        event_add(event_new(b, s->lfd, EV_READ | EV_PERSIST, on_conn, s), NULL);
}
