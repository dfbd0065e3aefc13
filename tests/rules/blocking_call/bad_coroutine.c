/* SPDX-License-Identifier: MIT */
/* CONFIG: coroutine.yaml */
/* A coroutine that waits as a thread would. */
#include "../loops.h"
#include <sys/mman.h>
#include <unistd.h>
#define coroutine_fn __attribute__((annotate("coroutine_fn")))
struct bs {
    int fd;
    void *map;
    size_t len;
};

static int bs_flush_file(struct bs *b)
{
    return fdatasync(b->fd); /* LEAF */
}

static int coroutine_fn bs_co_flush(struct bs *b)
{
    return bs_flush_file(b); // EXPECT: awaitc-blocking-call
}

int coroutine_fn bs_co_commit(struct bs *b)
{
    int r = bs_co_flush(b);
    if (r == 0)
        r = msync(b->map, b->len, MS_SYNC); // EXPECT: awaitc-blocking-call
    return r;
}
