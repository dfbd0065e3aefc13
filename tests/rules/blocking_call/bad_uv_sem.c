/* SPDX-License-Identifier: MIT */
/* The loop hands work to a thread and waits for the post. */
#include "../loops.h"
struct render {
    uv_sem_t want, done;
    uv_timer_t t;
};

static void frame(uv_timer_t *t)
{
    struct render *r = t->data;

    uv_sem_post(&r->want);
    uv_sem_wait(&r->done); // EXPECT: awaitc-blocking-call
}

void render_start(struct render *r)
{
    r->t.data = r;
    uv_timer_start(&r->t, frame, 16, 16);
}
