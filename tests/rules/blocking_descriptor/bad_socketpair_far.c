/* SPDX-License-Identifier: MIT */
/* WITH: far_pair.c */
/* The pair is made by a helper elsewhere. */
#include "../loops.h"
int make_pair(int sv[2]);
int handle(int fd);

static gboolean on_msg(int fd, GIOCondition c, gpointer data)
{
    (void)c;
    (void)data;
    return handle(fd);
}

int msg_start(void)
{
    int sv[2];
    if (make_pair(sv) < 0)
        return -1;
    g_unix_fd_add(sv[0], G_IO_IN, on_msg, NULL); // EXPECT: awaitc-blocking-descriptor
    return sv[1];
}
