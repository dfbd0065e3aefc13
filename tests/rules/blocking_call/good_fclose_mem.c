/* SPDX-License-Identifier: MIT */
/* Streams over memory. */
#include "../loops.h"
#include <stdio.h>
#include <stdlib.h>

static char *describe(int n)
{
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    if (!f)
        return NULL;
    fprintf(f, "n=%d", n);
    fclose(f);
    return text;
}

static gboolean tick(gpointer data)
{
    free(describe(*(int *)data));
    return TRUE;
}

void start(int *n)
{
    g_timeout_add(5, tick, n);
}
