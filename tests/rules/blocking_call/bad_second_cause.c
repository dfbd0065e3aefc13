/* SPDX-License-Identifier: MIT */
/* A wait that many callbacks share is told once; what one of them waits for besides is told, too. */
#include "../loops.h"

#include <netdb.h>
#include <unistd.h>

static int lines;

static void log_line(void)
{
    if (lines++ > 100)
        usleep(1000); /* LEAF */
}

static void log_and_look_up(const char *host)
{
    log_line();
    gethostbyname(host); /* LEAF */
}

static gboolean on_event_0(gpointer data)
{
    log_line(); // EXPECT: awaitc-blocking-call
    return data != NULL;
}

static gboolean on_event_1(gpointer data)
{
    log_line();
    return data != NULL;
}

static gboolean on_event_2(gpointer data)
{
    log_line();
    return data != NULL;
}

static gboolean on_event_3(gpointer data)
{
    log_line();
    return data != NULL;
}

static gboolean on_event_4(gpointer data)
{
    log_line();
    return data != NULL;
}

static gboolean on_event_5(gpointer data)
{
    log_line();
    return data != NULL;
}

static gboolean on_event_6(gpointer data)
{
    log_line();
    return data != NULL;
}

static gboolean on_event_7(gpointer data)
{
    log_and_look_up(data); // EXPECT: awaitc-blocking-call
    return data != NULL;
}

static gboolean on_event_8(gpointer data)
{
    log_line();
    return data != NULL;
}

static gboolean on_event_9(gpointer data)
{
    log_line();
    return data != NULL;
}

void start(char *host)
{
    g_idle_add(on_event_0, host);
    g_idle_add(on_event_1, host);
    g_idle_add(on_event_2, host);
    g_idle_add(on_event_3, host);
    g_idle_add(on_event_4, host);
    g_idle_add(on_event_5, host);
    g_idle_add(on_event_6, host);
    g_idle_add(on_event_7, host);
    g_idle_add(on_event_8, host);
    g_idle_add(on_event_9, host);
}
