/* SPDX-License-Identifier: MIT */
/* Loops run by main, by a thread, and turned without waiting. */
#include "../loops.h"
#include <pthread.h>

static void *loop_main(void *arg)
{
    uv_run(arg, UV_RUN_DEFAULT);
    return NULL;
}

static gboolean quit(gpointer data)
{
    g_main_loop_quit(data);
    return FALSE;
}

int main(void)
{
    pthread_t t;
    GMainLoop *l = g_main_loop_new(NULL, FALSE);
    pthread_create(&t, NULL, loop_main, NULL);
    g_timeout_add(5, quit, l);
    g_main_loop_run(l);
    while (g_main_context_iteration(NULL, FALSE))
        ;
    return pthread_join(t, NULL);
}
