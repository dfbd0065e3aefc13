/* SPDX-License-Identifier: MIT */
/* Every caller passes what makes the wrapper quick. */
#include "../loops.h"
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>

static int lock_file(int fd, int wait_for_it)
{
    return flock(fd, wait_for_it ? LOCK_EX : LOCK_EX | LOCK_NB);
}

static int take(int fd, int op)
{
    return flock(fd, op);
}

static pid_t child(pid_t p, int opts)
{
    int st;
    return waitpid(p, &st, opts);
}

static gboolean tick(gpointer data)
{
    int fd = *(int *)data;
    return take(fd, LOCK_SH | LOCK_NB) + child(-1, WNOHANG) + take(fd, LOCK_UN);
}

int main(void)
{
    int fd = 3;
    lock_file(fd, 1);
    g_timeout_add(5, tick, &fd);
    g_main_loop_run(g_main_loop_new(NULL, FALSE));
    return 0;
}
