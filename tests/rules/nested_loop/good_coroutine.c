/* SPDX-License-Identifier: MIT */
/* CONFIG: coroutine.yaml */
/* The wrapper that drives is only used outside coroutines. */
#include "../loops.h"
#define coroutine_fn __attribute__((annotate("coroutine_fn")))
struct bs {
    int in_flight;
};
int aio_poll(void *ctx, _Bool blocking);
int qemu_in_coroutine(void);
int coroutine_fn bs_co_flush(struct bs *b);

int coroutine_fn bs_co_flush(struct bs *b)
{
    return b->in_flight;
}

int bs_flush(struct bs *b)
{
    while (b->in_flight > 0)
        aio_poll(NULL, 1);
    return 0;
}

int coroutine_fn bs_co_close(struct bs *b)
{
    return bs_co_flush(b);
}
