/* SPDX-License-Identifier: MIT */
/* The transport is chosen at run time; one of them sleeps. */
#include "../loops.h"
#include <unistd.h>
struct transport;
struct transport_ops {
    int (*open)(struct transport *t);
    int (*reset)(struct transport *t);
};
struct transport {
    const struct transport_ops *ops;
    int fd;
};

static int serial_reset(struct transport *t)
{
    if (write(t->fd, "\r", 1) < 0)
        return -1;
    usleep(200000); /* LEAF */
    return 0;
}

static int null_reset(struct transport *t)
{
    t->fd = -1;
    return 0;
}

static const struct transport_ops serial_ops = {.reset = serial_reset};
static const struct transport_ops null_ops = {NULL, null_reset};

void transport_init(struct transport *t, int serial)
{
    t->ops = serial ? &serial_ops : &null_ops;
}

static int on_fault(sd_event_source *s, uint64_t usec, void *arg)
{
    struct transport *t = arg;

    (void)s;
    (void)usec;
    return t->ops->reset(t); // EXPECT: awaitc-blocking-call
}

int transport_watch(sd_event *e, struct transport *t)
{
    return sd_event_add_time(e, NULL, 0, 0, 0, on_fault, t);
}
