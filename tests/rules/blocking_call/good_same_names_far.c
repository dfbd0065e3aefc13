/* SPDX-License-Identifier: MIT */
/* WITH: far_same_name.c */
/* A static function of the same name in another file waits; this one does not. */
#include "../loops.h"

static int update(int n)
{
    return n + 1;
}

static gboolean tick(gpointer data)
{
    return update(*(int *)data);
}

void start(int *n)
{
    g_timeout_add(5, tick, n);
}
