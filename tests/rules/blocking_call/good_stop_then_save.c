/* SPDX-License-Identifier: MIT */
/* The callback asks the loop to end; what takes time is done behind it. */
#include "../loops.h"

#include <stdlib.h>
#include <unistd.h>

struct app {
    GMainLoop *loop;
    int fd, failed;
};

static void save(struct app *a)
{
    if (fsync(a->fd) != 0)
        a->failed = 1;
}

static _Noreturn void die(struct app *a)
{
    save(a);
    exit(1);
}

static gboolean on_signal(gpointer data)
{
    struct app *a = data;
    if (a->loop == NULL)
        die(a);
    g_main_loop_quit(a->loop);
    return FALSE;
}

int run(struct app *a)
{
    a->loop = g_main_loop_new(NULL, FALSE);
    g_idle_add(on_signal, a);
    g_main_loop_run(a->loop);
    save(a);
    return a->failed;
}
