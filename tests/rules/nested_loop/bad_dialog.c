/* SPDX-License-Identifier: MIT */
/* A question to the user in the middle of a signal handler. */
#include "../loops.h"
struct win {
    GtkDialog *ask;
};

static int confirm(struct win *w)
{
    return gtk_dialog_run(w->ask); /* LEAF */
}

static gboolean on_delete(gpointer widget, gpointer event, gpointer data)
{
    (void)widget;
    (void)event;
    return confirm(data) != -5; // EXPECT: awaitc-nested-loop
}

void win_start(gpointer o, struct win *w)
{
    g_signal_connect(o, "delete-event", G_CALLBACK(on_delete), w);
}
