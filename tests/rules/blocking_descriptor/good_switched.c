/* SPDX-License-Identifier: MIT */
/* Switched before, by flag, by helper, or by the loop itself. */
#include "../loops.h"
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>
struct s {
    int a, b, c, d, wake[2];
    uv_poll_t p;
};
int handle(int fd);

static void on_any(int fd, short what, void *arg)
{
    (void)what;
    (void)arg;
    handle(fd);
}

static void nb(int fd)
{
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

void start(struct event_base *b, struct s *s, int lfd)
{
    s->a = accept4(lfd, NULL, NULL, SOCK_NONBLOCK);
    s->b = socket(AF_INET, SOCK_DGRAM, 0);
    nb(s->b);
    s->c = timerfd_create(1, TFD_NONBLOCK | TFD_CLOEXEC);
    if (pipe(s->wake) == 0) {
        evutil_make_socket_nonblocking(s->wake[0]);
        evutil_make_socket_nonblocking(s->wake[1]);
    }
    event_add(event_new(b, s->a, EV_READ, on_any, s), NULL);
    event_add(event_new(b, s->b, EV_READ, on_any, s), NULL);
    event_add(event_new(b, s->c, EV_READ, on_any, s), NULL);
    event_add(event_new(b, s->wake[0], EV_READ, on_any, s), NULL);
}
