/* SPDX-License-Identifier: MIT */
/* Pools of several libraries may wait. */
#include "../loops.h"
#include <netdb.h>
#include <stdlib.h>
#include <unistd.h>

static void job(gpointer data, gpointer user)
{
    (void)user;
    if (system(data) == 0)
        sleep(1);
}

static gpointer looker(gpointer data)
{
    return gethostbyname(data);
}

static gboolean tick(gpointer data)
{
    GThreadPool *p = data;
    g_thread_pool_push(p, "true", NULL);
    g_thread_new("dns", looker, "example.org");
    return TRUE;
}

void start(void)
{
    g_timeout_add(100, tick, g_thread_pool_new(job, NULL, 4, FALSE, NULL));
}
