/* SPDX-License-Identifier: MIT */
/* A service by its name is read from a file or asked of a directory; so is a host by its name. */
#include "../loops.h"
#include <netdb.h>

static struct addrinfo *local, *other;

static void on_line(uv_stream_t *s, ssize_t n, const uv_buf_t *b)
{
    (void)s;
    (void)n;
    getaddrinfo("127.0.0.1", "statsd", NULL, &local); // EXPECT: awaitc-blocking-call
    getaddrinfo(b->base, "8125", NULL, &other); // EXPECT: awaitc-blocking-call
}

void services_start(uv_stream_t *s, uv_alloc_cb a)
{
    uv_read_start(s, a, on_line);
}
