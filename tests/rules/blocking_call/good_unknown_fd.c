/* SPDX-License-Identifier: MIT */
/* Nothing is known of the descriptor: one write of a line is no finding. */
#include "../loops.h"
#include <unistd.h>
struct log {
    int fd;
};
void log_open(struct log *l, int fd)
{
    l->fd = fd;
}

static void on_tick(uv_timer_t *t)
{
    struct log *l = t->data;
    if (write(l->fd, "tick\n", 5) != 5)
        l->fd = -1;
}

void start(struct log *l, uv_timer_t *t)
{
    t->data = l;
    uv_timer_start(t, on_tick, 1, 1);
}
