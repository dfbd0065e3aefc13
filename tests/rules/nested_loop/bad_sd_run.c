/* SPDX-License-Identifier: MIT */
/* sd_event_run until a flag is set, in a time handler. */
#include "../loops.h"
struct m {
    sd_event *e;
    int ready;
};

static int on_time(sd_event_source *s, uint64_t usec, void *arg)
{
    struct m *m = arg;

    (void)s;
    (void)usec;
    while (!m->ready)
        if (sd_event_run(m->e, UINT64_MAX) < 0) // EXPECT: awaitc-nested-loop
            break;
    return 0;
}

int m_start(struct m *m)
{
    return sd_event_add_time(m->e, NULL, 0, 0, 0, on_time, m);
}
