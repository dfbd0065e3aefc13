/* SPDX-License-Identifier: MIT */
/* A channel that is switched to non-blocking, and its descriptor taken out again. */
#include "../loops.h"

#include <sys/socket.h>

#define G_IO_FLAG_NONBLOCK 2
GIOChannel *g_io_channel_unix_new(int fd);
int g_io_channel_unix_get_fd(GIOChannel *c);
int g_io_channel_set_flags(GIOChannel *c, int flags, GError **e);
guint g_io_add_watch(GIOChannel *c, GIOCondition what,
                     gboolean (*f)(GIOChannel *, GIOCondition, gpointer), gpointer data);

static GIOChannel *listen_at(int port)
{
    int fd = socket(AF_INET, SOCK_STREAM, port & 0);
    GIOChannel *c = g_io_channel_unix_new(fd);
    g_io_channel_set_flags(c, G_IO_FLAG_NONBLOCK, NULL);
    return c;
}

static gboolean on_client(GIOChannel *c, GIOCondition what, gpointer data)
{
    int fd = accept(g_io_channel_unix_get_fd(c), NULL, NULL);
    *(int *)data = fd;
    return what == G_IO_IN;
}

void serve(int port, int *last)
{
    GIOChannel *c = listen_at(port);
    g_io_add_watch(c, G_IO_IN, on_client, last);
}
