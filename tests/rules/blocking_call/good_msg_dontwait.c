/* SPDX-License-Identifier: MIT */
/* Flags that are held in a variable, in a field, or chosen by a condition. */
#include "../loops.h"
#include <sys/socket.h>
struct s {
    int fd;
    char b[64];
};

static ssize_t sock_send(struct s *s, int more)
{
    int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
    if (more)
        flags |= MSG_MORE;
    return send(s->fd, s->b, sizeof s->b, flags);
}

static ssize_t sock_recv(struct s *s, int peek)
{
    return recv(s->fd, s->b, sizeof s->b, MSG_DONTWAIT | (peek ? MSG_PEEK : 0));
}

static void tick(uv_timer_t *t)
{
    struct s *s = t->data;
    if (sock_recv(s, 1) > 0)
        sock_send(s, 0);
}

void start(struct s *s, uv_timer_t *t)
{
    s->fd = socket(AF_INET, SOCK_DGRAM, 0);
    t->data = s;
    uv_timer_start(t, tick, 1, 1);
}
