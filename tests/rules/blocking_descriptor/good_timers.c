/* SPDX-License-Identifier: MIT */
/* Timers and signals watch no descriptor. */
#include "../loops.h"

static void on_time(int fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    ++*(int *)arg;
}

void start(struct event_base *b, int *n)
{
    event_add(evtimer_new(b, on_time, n), NULL);
    event_add(event_new(b, 15, EV_SIGNAL | EV_PERSIST, on_time, n), NULL);
    event_add(event_new(b, 0, EV_READ, on_time, n), NULL);
}
