/* SPDX-License-Identifier: MIT */
/* "Keep the window alive" while a job is done in a callback. */
#include "../loops.h"

static void pump_events(void)
{
    while (g_main_context_pending(NULL))
        g_main_context_iteration(NULL, TRUE); /* LEAF */
}

static void on_copy(gpointer item, gpointer data)
{
    int *left = data;

    (void)item;
    while ((*left)-- > 0)
        pump_events(); // EXPECT: awaitc-nested-loop
}

void copy_start(gpointer item, int *left)
{
    g_signal_connect(item, "activate", G_CALLBACK(on_copy), left);
}
