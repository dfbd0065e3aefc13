/* SPDX-License-Identifier: MIT */
/* A self-pipe whose ends block: the handler's write can stop the program. */
#include "../loops.h"
#include <unistd.h>
static int wake[2];
int take(int fd);

static int on_wake(sd_event_source *s, int fd, uint32_t revents, void *arg)
{
    (void)s;
    (void)revents;
    (void)arg;
    return take(fd);
}

int wake_start(sd_event *e)
{
    if (pipe(wake) < 0)
        return -1;
    return sd_event_add_io(e, NULL, wake[0], 1, on_wake, NULL); // EXPECT: awaitc-blocking-descriptor
}
