/* SPDX-License-Identifier: MIT */
/* A menu item that runs a command and waits for it. */
#include "../loops.h"

static void on_activate(gpointer item, gpointer data)
{
    char *out = NULL;
    int status;

    (void)item;
    g_spawn_command_line_sync(data, &out, NULL, &status, NULL); // EXPECT: awaitc-blocking-call
}

void menu_fill(gpointer item, char *cmd)
{
    g_signal_connect(item, "activate", G_CALLBACK(on_activate), cmd);
}
