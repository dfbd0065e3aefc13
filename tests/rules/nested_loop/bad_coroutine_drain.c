/* SPDX-License-Identifier: MIT */
/* CONFIG: coroutine.yaml */
/* A drained section begun in a coroutine, and a sync wrapper that polls. */
#include "../loops.h"
#define coroutine_fn __attribute__((annotate("coroutine_fn")))
struct bs {
    int in_flight;
};
void bdrv_drain_all(void);
int aio_poll(void *ctx, _Bool blocking);

static void bs_wait(struct bs *b)
{
    while (b->in_flight > 0)
        aio_poll(NULL, 1); /* LEAF */
}

int coroutine_fn bs_co_truncate(struct bs *b)
{
    bdrv_drain_all(); // EXPECT: awaitc-nested-loop
    b->in_flight = 0;
    return 0;
}

int coroutine_fn bs_co_close(struct bs *b)
{
    bs_wait(b); // EXPECT: awaitc-nested-loop
    return 0;
}
