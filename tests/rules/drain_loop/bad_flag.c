#include <sys/socket.h>
struct event; struct event_base;
struct event *event_new(struct event_base *b, int fd, short what, void (*cb)(int, short, void *), void *arg);
int event_add(struct event *ev, const void *tv);
struct conn { int fd; char buf[512]; };
void handle(struct conn *c, long n);
int listener_accept(void *l); void add(int fd);
struct dictEntry; struct dictEntry *dictNext(void *it); void reply(struct dictEntry *e);
unsigned long dictSize(void *d); void *dictGetRandomKey(void *d); void dbDelete(void *db, void *k);
static void on_event(int fd, short what, void *arg)
{
    struct conn *c = arg; int stop = 0; (void)what;
    while (!stop) { // EXPECT: awaitc-drain-loop
        long n = recv(fd, c->buf, sizeof c->buf, MSG_DONTWAIT);
        if (n <= 0)
            stop = 1;
        else
            handle(c, n);
    }
}
static void on_event2(int fd, short what, void *arg)
{
    struct conn *c = arg; int stop = 0, n = 0; (void)what;
    while (!stop) {
        long k = recv(fd, c->buf, sizeof c->buf, MSG_DONTWAIT);
        if (k <= 0 || ++n > 20)
            stop = 1;
        else
            handle(c, k);
    }
}
static void on_acc(int fd, short what, void *arg)
{
    int c; (void)fd; (void)what;
    while ((c = listener_accept(arg)) >= 0) // EXPECT: awaitc-drain-loop
        add(c);
}
static void on_keys(int fd, short what, void *arg)
{
    struct dictEntry *de; (void)fd; (void)what;
    while ((de = dictNext(arg)) != 0) // EXPECT: awaitc-cpu-heavy-loop
        reply(de);
}
static void on_evict(int fd, short what, void *arg)
{
    (void)fd; (void)what;
    while (dictSize(arg) > 0) { // EXPECT: awaitc-cpu-heavy-loop
        void *k = dictGetRandomKey(arg);
        dbDelete(arg, k);
    }
}
void start(struct event_base *b)
{
    event_add(event_new(b, 1, 2, on_event, 0), 0); event_add(event_new(b, 1, 2, on_event2, 0), 0); event_add(event_new(b, 1, 2, on_acc, 0), 0);
    event_add(event_new(b, 1, 2, on_keys, 0), 0); event_add(event_new(b, 1, 2, on_evict, 0), 0);
}
