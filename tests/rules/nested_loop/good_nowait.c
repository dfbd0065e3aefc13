/* SPDX-License-Identifier: MIT */
/* One turn of another loop, which does not wait. */
#include "../loops.h"
struct both {
    uv_loop_t *uv;
    struct event_base *b;
};

static void turn(struct both *w, int flags)
{
    event_base_loop(w->b, flags);
}

static gboolean embed(gpointer data)
{
    struct both *w = data;
    uv_run(w->uv, UV_RUN_NOWAIT);
    turn(w, EVLOOP_NONBLOCK);
    return TRUE;
}

void start(struct both *w)
{
    g_idle_add(embed, w);
}
