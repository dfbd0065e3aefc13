/* SPDX-License-Identifier: MIT */
/* A main loop of its own for one answer. */
#include "../loops.h"
struct ask {
    GMainLoop *inner;
    int answer;
};

static gboolean give_up(gpointer data)
{
    struct ask *a = data;
    g_main_loop_quit(a->inner);
    return FALSE;
}

static int ask_sync(struct ask *a)
{
    a->inner = g_main_loop_new(NULL, FALSE);
    g_timeout_add(1000, give_up, a);
    g_main_loop_run(a->inner); /* LEAF */
    return a->answer;
}

static gboolean on_client(int fd, GIOCondition c, gpointer data)
{
    (void)fd;
    (void)c;
    return ask_sync(data) == 0; // EXPECT: awaitc-nested-loop
}

void ask_start(int fd, struct ask *a)
{
    g_unix_fd_add(fd, G_IO_IN, on_client, a);
}
