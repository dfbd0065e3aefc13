#include <sys/socket.h>
#include <sys/inotify.h>
#include <unistd.h>
#include <errno.h>
typedef struct uv_loop_s uv_loop_t; typedef struct uv_timer_s { void *data; } uv_timer_t; typedef struct uv_idle_s { void *data; } uv_idle_t; typedef struct uv_async_s { void *data; } uv_async_t;
typedef struct uv_poll_s { void *data; } uv_poll_t; typedef struct uv_stream_s { void *data; } uv_stream_t; typedef struct uv_buf_t { char *base; unsigned long len; } uv_buf_t; typedef struct uv_handle_s uv_handle_t;
typedef struct uv_work_s { void *data; } uv_work_t;
int uv_timer_start(uv_timer_t *t, void (*cb)(uv_timer_t *), unsigned long a, unsigned long b);
int uv_async_init(uv_loop_t *l, uv_async_t *a, void (*cb)(uv_async_t *));
int uv_poll_start(uv_poll_t *p, int ev, void (*cb)(uv_poll_t *, int, int));
int uv_read_start(uv_stream_t *s, void (*alloc)(uv_handle_t *, unsigned long, uv_buf_t *), void (*cb)(uv_stream_t *, long, const uv_buf_t *));
int uv_queue_work(uv_loop_t *l, uv_work_t *w, void (*work)(uv_work_t *), void (*after)(uv_work_t *, int));

void add_client(int fd); void changed(const char *p, long n); void got(void *c, const char *b, long n);
static void on_listen(uv_poll_t *p, int st, int ev)
{
    int *l = p->data; (void)st; (void)ev;
    while (1) { // EXPECT: awaitc-drain-loop
        int c = accept(*l, 0, 0);
        if (c == -1) {
            if (errno == EAGAIN || errno == EWOULDBLOCK)
                break;
            if (errno == EINTR)
                continue;
            return;
        }
        add_client(c);
    }
}
static void on_notify(uv_poll_t *p, int st, int ev)
{
    char buf[4096]; long n; int *fd = p->data; (void)st; (void)ev;
    for (n = read(*fd, buf, sizeof buf); n > 0; n = read(*fd, buf, sizeof buf)) // EXPECT: awaitc-drain-loop
        changed(buf, n);
}
struct udp { int fd; unsigned long packets; char buf[1500]; };
static int recv_one(struct udp *u)
{
    long n = recvfrom(u->fd, u->buf, sizeof u->buf, MSG_DONTWAIT, 0, 0);
    if (n < 0)
        return errno == EAGAIN ? 0 : -1;
    u->packets++;
    got(u, u->buf, n);
    return 1;
}
static void on_udp(uv_poll_t *p, int st, int ev)
{
    int rc; (void)st; (void)ev;
    do // EXPECT: awaitc-drain-loop
        rc = recv_one(p->data);
    while (rc > 0);
}
void start(uv_poll_t *p) { uv_poll_start(p, 1, on_listen); uv_poll_start(p, 1, on_notify); uv_poll_start(p, 1, on_udp); }
