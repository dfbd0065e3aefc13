/* SPDX-License-Identifier: MIT */
/* uv_poll_init switches the socket; a descriptor of unknown origin says nothing. */
#include "../loops.h"
#include <sys/socket.h>
struct s {
    uv_poll_t p;
    int fd;
};
int handle(void *p);

static void on_poll(uv_poll_t *p, int status, int events)
{
    (void)status;
    (void)events;
    handle(p->data);
}

static gboolean on_fd(int fd, GIOCondition c, gpointer data)
{
    (void)fd;
    (void)c;
    return handle(data);
}

void start(uv_loop_t *l, struct s *s, int given)
{
    s->fd = socket(AF_INET, SOCK_DGRAM, 0);
    uv_poll_init(l, &s->p, s->fd);
    uv_poll_start(&s->p, 1, on_poll);
    g_unix_fd_add(given, G_IO_IN, on_fd, s);
}
