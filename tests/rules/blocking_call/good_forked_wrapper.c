/* SPDX-License-Identifier: MIT */
/* The child of a fork in a helper, which leaves by a function that does not say so. */
#include "../loops.h"

#include <unistd.h>

int start_fork(int purpose);
void leave_child(int status);
void note_parent(int pid);

static int save(int fd)
{
    return fsync(fd);
}

static gboolean on_timer(gpointer data)
{
    int pid;
    if ((pid = start_fork(1)) == 0) {
        int rc = save(*(int *)data);
        leave_child(rc);
    } else {
        note_parent(pid);
    }
    return TRUE;
}

static gboolean on_idle(gpointer data)
{
    int pid = start_fork(2);
    if (pid)
        return pid > 0;
    else
        leave_child(save(*(int *)data));
    return TRUE;
}

void set_up(int *fd)
{
    g_timeout_add(10, on_timer, fd);
    g_idle_add(on_idle, fd);
}
