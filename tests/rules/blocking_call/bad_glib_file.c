/* SPDX-License-Identifier: MIT */
/* Settings are read on every request. */
#include "../loops.h"

static char *motd(void)
{
    char *text = NULL;
    if (!g_file_get_contents("/etc/motd", &text, NULL, NULL)) /* LEAF */
        return NULL;
    return text;
}

static gboolean on_client(int fd, GIOCondition c, gpointer data)
{
    char **out = data;

    (void)fd;
    (void)c;
    *out = motd(); // EXPECT: awaitc-blocking-call
    return TRUE;
}

void motd_watch(int fd, char **out)
{
    g_unix_fd_add(fd, G_IO_IN, on_client, out);
}
