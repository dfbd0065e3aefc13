/* As bad_goto.c, with a budget; and a call that was interrupted, made again. */
#include "../loops.h"
#include <errno.h>
#include <sys/socket.h>

void handle_datagram(const char *p, size_t n);

static void on_datagrams(uv_poll_t *h, int status, int events)
{
    char buf[1500];
    int budget = 32;
    (void)events;
    if (status < 0)
        return;
next:;
    ssize_t n = recv(*(int *)h->data, buf, sizeof buf, MSG_DONTWAIT);
    if (n < 0)
        return;
    handle_datagram(buf, (size_t)n);
    if (--budget > 0)
        goto next;
}

static void on_more(uv_poll_t *h, int status, int events)
{
    char buf[1500];
    ssize_t n;
    (void)status;
    (void)events;
again:
    n = recv(*(int *)h->data, buf, sizeof buf, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR)
        goto again;
    if (n > 0)
        handle_datagram(buf, (size_t)n);
}

/* Looks how long it is, and reads it then. */
static void on_message(uv_poll_t *h, int status, int events)
{
    char buf[1500];
    int flags = MSG_PEEK | MSG_TRUNC;
    ssize_t n;
    (void)status;
    (void)events;
again:
    n = recv(*(int *)h->data, buf, sizeof buf, flags);
    if (n > 0 && flags != 0) {
        flags = 0;
        goto again;
    }
    if (n > 0)
        handle_datagram(buf, (size_t)n);
}

void watch(uv_poll_t *a, uv_poll_t *b)
{
    uv_poll_start(a, 1, on_datagrams);
    uv_poll_start(b, 1, on_more);
    uv_poll_start(b, 2, on_message);
}
