/* SPDX-License-Identifier: MIT */
/* WITH: far_register.c */
/* The callback and its wait are here, its registration in the other file. */
#include "../loops.h"
#include <sys/file.h>
#include <unistd.h>
void on_reload(int fd, short what, void *arg);

static int take_lockfile(int fd)
{
    return flock(fd, LOCK_EX); /* LEAF */
}

void on_reload(int fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    take_lockfile(*(int *)arg); // EXPECT: awaitc-blocking-call
}
