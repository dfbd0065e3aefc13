/* SPDX-License-Identifier: MIT */
/* WITH: far_resolve.c */
/* The callback is here, the wait in the other file. */
#include "../loops.h"
int far_resolve(const char *host, unsigned *out);
struct up {
    char host[64];
    unsigned addr;
};

static void on_tick(uv_timer_t *t)
{
    struct up *u = t->data;

    if (far_resolve(u->host, &u->addr) < 0) // EXPECT: awaitc-blocking-call
        u->addr = 0;
}

void up_start(struct up *u, uv_timer_t *t)
{
    t->data = u;
    uv_timer_start(t, on_tick, 0, 1000);
}
