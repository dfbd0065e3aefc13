/* SPDX-License-Identifier: MIT */
/* WITH: far_backend.c */
/* The table of backends is in the other file. */
#include "../loops.h"
struct backend {
    const char *name;
    int (*store)(int fd, const void *p, size_t n);
};
extern const struct backend disk_backend;
struct sink {
    const struct backend *be;
    int fd;
};

static void on_data(uv_stream_t *s, ssize_t n, const uv_buf_t *b)
{
    struct sink *k = s->data;

    if (n > 0)
        k->be->store(k->fd, b->base, (size_t)n); // EXPECT: awaitc-blocking-call
}

void sink_start(struct sink *k, uv_stream_t *s, uv_alloc_cb alloc)
{
    k->be = &disk_backend;
    s->data = k;
    uv_read_start(s, alloc, on_data);
}
