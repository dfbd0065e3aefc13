/* SPDX-License-Identifier: MIT */
/* FLAGS: -std=gnu89 -Wno-deprecated-non-prototype */
/* Code from before prototypes. */
#include "../loops.h"
#include <unistd.h>

static int settle(fd, secs)
int fd;
unsigned secs;
{
    (void)fd;
    sleep(secs); /* LEAF */
    return 0;
}

static void on_line(fd, what, arg)
int fd;
short what;
void *arg;
{
    (void)what;
    (void)arg;
    settle(fd, 2); // EXPECT: awaitc-blocking-call
}

void line_watch(b, fd)
struct event_base *b;
int fd;
{
    event_add(event_new(b, fd, EV_READ, (event_callback_fn)on_line, NULL), NULL);
}
