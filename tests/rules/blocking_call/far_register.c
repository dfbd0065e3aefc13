/* SPDX-License-Identifier: MIT */
#include "../loops.h"
extern void on_reload(int fd, short what, void *arg);

void reload_start(struct event_base *b, int fd, int *lock)
{
    event_add(event_new(b, fd, EV_READ | EV_PERSIST, on_reload, lock), NULL);
}
