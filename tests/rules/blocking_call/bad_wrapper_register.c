/* SPDX-License-Identifier: MIT */
/* watch_read passes the function on to event_new. */
#include "../loops.h"
#include <stdlib.h>

static struct event *watch_read(struct event_base *b, int fd, event_callback_fn fn, void *arg)
{
    struct event *ev = event_new(b, fd, EV_READ | EV_PERSIST, fn, arg);
    if (ev)
        event_add(ev, NULL);
    return ev;
}

static void on_command(int fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    if (system(arg) != 0) // EXPECT: awaitc-blocking-call
        abort();
}

int console_start(struct event_base *b, int fd, char *cmd)
{
    return watch_read(b, fd, on_command, cmd) ? 0 : -1;
}
