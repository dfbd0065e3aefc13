/* SPDX-License-Identifier: MIT */
/* What the parent of a fork waits for holds up the loop. */
#include "../loops.h"

#include <unistd.h>

int start_fork(int purpose);
void leave_child(int status);

static int save(int fd)
{
    return fsync(fd); /* LEAF */
}

static gboolean on_timer(gpointer data)
{
    int pid;
    if ((pid = start_fork(1)) == 0)
        leave_child(0);
    else
        save(*(int *)data); // EXPECT: awaitc-blocking-call
    return TRUE;
}

void set_up(int *fd)
{
    g_timeout_add(10, on_timer, fd);
}
