/* SPDX-License-Identifier: MIT */
/* A timer that asks a script, through a helper that looks cheap. */
#include "../loops.h"
#include <stdio.h>
#include <string.h>

static int get_load(char *out, size_t n)
{
    FILE *f = popen("cat /proc/loadavg", "r");
    if (!f)
        return -1;
    if (!fgets(out, (int)n, f))
        out[0] = 0;
    pclose(f); /* LEAF */
    return 0;
}

static void on_tick(struct ev_loop *l, ev_timer *w, int revents)
{
    char line[64];

    (void)l;
    (void)revents;
    if (get_load(line, sizeof line) == 0) // EXPECT: awaitc-blocking-call
        w->data = strdup(line);
}

void stats_start(struct ev_loop *l, ev_timer *t)
{
    ev_timer_init(t, on_tick, 1.0, 10.0);
    ev_timer_start(l, t);
}
