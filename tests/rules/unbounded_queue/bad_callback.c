#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
struct event;
struct event_base;
struct event *event_new(struct event_base *b, int fd, short what, void (*cb)(int, short, void *),
                        void *arg);
int event_add(struct event *ev, const struct timeval *tv);

struct msg { struct msg *next; size_t len; char text[]; };
struct peer { struct msg *head, **last; struct event *can_write; int fd; };
struct fifo;
void fifo_push(struct fifo *f, struct msg *m);

static struct msg *msg_new(const char *p, size_t n)
{
    struct msg *m = malloc(sizeof *m + n);
    if (m) {
        m->len = n;
        m->next = NULL;
        memcpy(m->text, p, n);
    }
    return m;
}

static void on_input(int fd, short what, void *arg)
{
    char buf[2048];
    ssize_t n = recv(fd, buf, sizeof buf, MSG_DONTWAIT);
    (void)what;
    if (n <= 0)
        return;
    struct msg *m = msg_new(buf, (size_t)n);
    if (m)
        fifo_push(arg, m); // EXPECT: awaitc-unbounded-queue
}

/* From one side to the other, however slow that is. */
static void on_relay(int fd, short what, void *arg)
{
    struct peer *other = arg;
    char buf[2048];
    ssize_t n = recv(fd, buf, sizeof buf, MSG_DONTWAIT);
    (void)what;
    if (n <= 0)
        return;
    struct msg *m = msg_new(buf, (size_t)n);
    if (!m)
        return;
    *other->last = m; // EXPECT: awaitc-unbounded-queue
    other->last = &m->next;
    event_add(other->can_write, NULL);
}

void start(struct event_base *b, int fd, struct fifo *f, struct peer *p)
{
    event_add(event_new(b, fd, 2, on_input, f), NULL);
    event_add(event_new(b, fd, 2, on_relay, p), NULL);
}
