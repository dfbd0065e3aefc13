/* SPDX-License-Identifier: MIT */
/* What a log does besides writing its file is told, and what stands beside it. */
#include "../loops.h"

#include <stdio.h>
#include <unistd.h>

static FILE *log_file;

static void log_line(const char *text)
{
    fputs(text, log_file);
    fflush(log_file);
}

static void log_safely(const char *text)
{
    fputs(text, log_file);
    fsync(fileno(log_file)); /* LEAF */
}

static void save(const char *name)
{
    FILE *f = fopen(name, "w"); /* LEAF */
    log_line("saving");
    if (f != NULL)
        fclose(f);
}

static gboolean on_timeout(gpointer data)
{
    log_safely("timeout"); // EXPECT: awaitc-blocking-call
    return data != NULL;
}

static gboolean on_idle(gpointer data)
{
    save(data); // EXPECT: awaitc-blocking-call
    return data != NULL;
}

void set_up(void)
{
    g_timeout_add(10, on_timeout, NULL);
    g_idle_add(on_idle, NULL);
}
