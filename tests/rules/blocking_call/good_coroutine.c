/* SPDX-License-Identifier: MIT */
/* CONFIG: coroutine.yaml */
/* Coroutines that wait as coroutines do; the plain function is for the main program. */
#include "../loops.h"
#include <unistd.h>
#define coroutine_fn __attribute__((annotate("coroutine_fn")))
struct bs {
    int fd;
};
int coroutine_fn qemu_co_sleep_ns(int clock, int64_t ns);
int coroutine_fn thread_pool_submit_co(int (*fn)(void *), void *arg);

static int do_flush(void *arg)
{
    struct bs *b = arg;
    return fdatasync(b->fd);
}

int coroutine_fn bs_co_flush(struct bs *b)
{
    qemu_co_sleep_ns(0, 1000);
    return thread_pool_submit_co(do_flush, b);
}

int bs_flush(struct bs *b)
{
    return do_flush(b);
}
