/* SPDX-License-Identifier: MIT */
/* A synchronous face of an asynchronous library, called from a callback. */
#include "../loops.h"
struct req {
    uv_loop_t *loop;
    int done;
    uv_timer_t t;
};

static int req_wait(struct req *r)
{
    while (!r->done)
        uv_run(r->loop, UV_RUN_ONCE); /* LEAF */
    return r->done;
}

static void on_timer(uv_timer_t *t)
{
    req_wait(t->data); // EXPECT: awaitc-nested-loop
}

void req_start(struct req *r)
{
    r->t.data = r;
    uv_timer_start(&r->t, on_timer, 1, 0);
}
