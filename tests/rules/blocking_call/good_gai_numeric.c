/* SPDX-License-Identifier: MIT */
/* Only numbers are parsed. */
#include "../loops.h"
#include <netdb.h>
#include <string.h>

static int parse_addr(const char *text, struct addrinfo **out)
{
    struct addrinfo hints;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_DGRAM;
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    return getaddrinfo(text, "514", &hints, out);
}

static void on_line(uv_stream_t *s, ssize_t n, const uv_buf_t *b)
{
    struct addrinfo *ai = NULL;
    struct addrinfo h = {.ai_flags = AI_NUMERICHOST};
    char text[64];
    (void)n;
    if (parse_addr(b->base, &ai) == 0) {
        getnameinfo(ai->ai_addr, ai->ai_addrlen, text, sizeof text, NULL, 0, NI_NUMERICHOST);
        freeaddrinfo(ai);
    }
    if (getaddrinfo(b->base, NULL, &h, &ai) == 0)
        s->data = ai;
}

void line_start(uv_stream_t *s, uv_alloc_cb a)
{
    uv_read_start(s, a, on_line);
}
