/* SPDX-License-Identifier: MIT */
/* The source states that the call does not wait. */
#include "../loops.h"
#include <awaitc.h>
#include <unistd.h>
AW_NONBLOCKING int ring_flush(int fd);

int ring_flush(int fd)
{
    return fsync(fd);
}

static gboolean tick(gpointer data)
{
    return ring_flush(*(int *)data);
}

void start(int *fd)
{
    g_timeout_add(5, tick, fd);
}
