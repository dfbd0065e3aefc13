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
struct peer { struct msg *head, **last; struct event *can_write; int fd; size_t queued; };
struct fifo { unsigned length; };
void fifo_push(struct fifo *f, struct msg *m);
void pause_reading(struct peer *p);
struct msg *msg_new(const char *p, size_t n);
void answer(struct peer *p, const char *text, size_t n);

static void on_input(int fd, short what, void *arg)
{
    struct fifo *f = arg;
    char buf[2048];
    (void)what;
    if (f->length > 256)
        return;
    ssize_t n = recv(fd, buf, sizeof buf, MSG_DONTWAIT);
    if (n > 0)
        fifo_push(f, msg_new(buf, (size_t)n));
}

static void on_relay(int fd, short what, void *arg)
{
    struct peer *other = arg;
    char buf[2048];
    ssize_t n = recv(fd, buf, sizeof buf, MSG_DONTWAIT);
    (void)what;
    if (n <= 0)
        return;
    struct msg *m = malloc(sizeof *m + (size_t)n);
    if (!m)
        return;
    memcpy(m->text, buf, (size_t)n);
    *other->last = m;
    other->last = &m->next;
    other->queued += (size_t)n;
    if (other->queued > 65536)
        pause_reading(other);
}

static void on_question(int fd, short what, void *arg)
{
    char buf[512];
    ssize_t n = recv(fd, buf, sizeof buf, MSG_DONTWAIT);
    (void)what;
    if (n > 0)
        answer(arg, buf, (size_t)n);
}

void start(struct event_base *b, int fd, struct fifo *f, struct peer *p)
{
    event_add(event_new(b, fd, 2, on_input, f), NULL);
    event_add(event_new(b, fd, 2, on_relay, p), NULL);
    event_add(event_new(b, fd, 2, on_question, p), NULL);
}
