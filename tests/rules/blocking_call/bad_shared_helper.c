/* SPDX-License-Identifier: MIT */
/* A helper that three calls reach is told once; one that two reach, at each. */
#include "../loops.h"

#include <sys/stat.h>
#include <unistd.h>

static void save(const char *text)
{
    if (fsync(text[0]) != 0) /* LEAF */
        return;
}

static void look(const char *name)
{
    sleep(name[0]); /* LEAF */
}

static gboolean on_event(gpointer data)
{
    save("a"); // EXPECT: awaitc-blocking-call
    if (data != NULL)
        save("b");
    save("c");
    look("d"); // EXPECT: awaitc-blocking-call
    return data != NULL;
}

static gboolean on_idle(gpointer data)
{
    look("e"); // EXPECT: awaitc-blocking-call
    return data != NULL;
}

void set_up(void)
{
    g_timeout_add(10, on_event, NULL);
    g_idle_add(on_idle, NULL);
}
