#include "../loops.h"
#include <sys/socket.h>
struct nl { uv_poll_t p; int fd; };
int nl_msg(struct nl *n, const char *buf, long len);
static long nl_recv(struct nl *n, char *buf, unsigned long size)
{
    return recv(n->fd, buf, size, MSG_DONTWAIT);
}
static void on_nl(uv_poll_t *p, int status, int events)
{
    struct nl *n = p->data;
    char buf[8192];
    long len;
    (void)status;
    (void)events;
    for (int i = 0; i < 8 && (len = nl_recv(n, buf, sizeof buf)) > 0; i++)
        if (nl_msg(n, buf, len) < 0)
            break;
}
void nl_start(uv_loop_t *l, struct nl *n)
{
    n->p.data = n;
    uv_poll_init(l, &n->p, n->fd);
    uv_poll_start(&n->p, 1, on_nl);
}
