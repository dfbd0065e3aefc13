/* SPDX-License-Identifier: MIT */
/* Neither a missing host nor a number is looked up. */
#include "../loops.h"
#include <netdb.h>

static struct addrinfo *local, *own;

static void on_line(uv_stream_t *s, ssize_t n, const uv_buf_t *b)
{
    struct addrinfo hints = {.ai_flags = AI_PASSIVE};
    (void)s;
    (void)n;
    getaddrinfo(NULL, b->base, &hints, &own);
    getaddrinfo("127.0.0.1", "8125", NULL, &local);
}

void lookups_start(uv_stream_t *s, uv_alloc_cb a)
{
    uv_read_start(s, a, on_line);
}
