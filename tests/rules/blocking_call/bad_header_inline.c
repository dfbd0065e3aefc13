/* SPDX-License-Identifier: MIT */
/* The wait is in an inline function of a header. */
#include "../loops.h"
#include "retry.h"

static void on_err(int fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    back_off(*(int *)arg); // EXPECT: awaitc-blocking-call
}

void err_watch(struct event_base *b, int fd, int *tries)
{
    event_add(event_new(b, fd, EV_READ, on_err, tries), NULL);
}
