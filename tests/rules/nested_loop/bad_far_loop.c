/* SPDX-License-Identifier: MIT */
/* WITH: far_loop.c */
/* The inner loop is in another file. */
#include "../loops.h"
int far_sync(void *ctx);

static gboolean tick(gpointer data)
{
    return far_sync(data); // EXPECT: awaitc-nested-loop
}

void start(void *ctx)
{
    g_timeout_add(5, tick, ctx);
}
