/* SPDX-License-Identifier: MIT */
/* accept() gives a blocking socket, which is watched as it is. */
#include "../loops.h"
#include <sys/socket.h>
#include <unistd.h>
struct conn {
    int fd;
    char b[512];
};
void parse(struct conn *c, ssize_t n);
ssize_t fetch(struct conn *c);

static void on_read(int fd, short what, void *arg)
{
    struct conn *c = arg;

    (void)fd;
    (void)what;
    parse(c, fetch(c));
}

void conn_start(struct event_base *b, struct conn *c, int lfd)
{
    c->fd = accept(lfd, NULL, NULL);
    event_add(event_new(b, c->fd, EV_READ | EV_PERSIST, on_read, c), NULL); // EXPECT: awaitc-blocking-descriptor
}
