#include <sys/time.h>
struct event;
struct event_base;
typedef void (*event_callback_fn)(int fd, short what, void *arg);
#define EV_READ 0x02
struct event *event_new(struct event_base *b, int fd, short what, event_callback_fn cb, void *arg);
int event_add(struct event *ev, const struct timeval *tv);
int event_base_dispatch(struct event_base *b);

struct totals { unsigned rounds; };

static void on_read(int fd, short what, void *arg)
{
    struct totals *t = arg;

    (void)fd;
    (void)what;
    t->rounds++;
}

static int run(struct event_base *b)
{
    return event_base_dispatch(b);
}

/* The loop runs before this function ends, here and by a helper. */
int serve(struct event_base *b, int fd)
{
    struct totals totals = { 0 };

    event_add(event_new(b, fd, EV_READ, on_read, &totals), 0);
    event_base_dispatch(b);
    return (int)totals.rounds;
}

int serve_again(struct event_base *b, int fd)
{
    struct totals totals = { 0 };

    event_add(event_new(b, fd, EV_READ, on_read, &totals), 0);
    run(b);
    return (int)totals.rounds;
}
