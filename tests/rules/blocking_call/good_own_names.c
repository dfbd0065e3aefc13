/* SPDX-License-Identifier: MIT */
/* Static functions with names that the C library has, too. */
#include "../loops.h"
struct ctx {
    int state, fd;
};

static int connect(struct ctx *c)
{
    return c->state = 1;
}

static int wait(struct ctx *c)
{
    return c->state++;
}

static int poll(struct ctx *c, int n, int ms)
{
    return c->fd + n + ms;
}

static gboolean tick(gpointer data)
{
    return connect(data) + wait(data) + poll(data, 1, -1);
}

void start(struct ctx *c)
{
    g_timeout_add(5, tick, c);
}
