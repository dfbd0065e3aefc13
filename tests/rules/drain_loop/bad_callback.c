#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>
#include <sys/time.h>
struct event;
struct event_base;
struct event *event_new(struct event_base *b, int fd, short what, void (*cb)(int, short, void *),
                        void *arg);
int event_add(struct event *ev, const struct timeval *tv);

struct conn { int fd; char in[4096]; size_t total; };
void feed(struct conn *c, const char *p, ssize_t n);
void add_client(int fd);
void log_packet(const char *p, ssize_t n);

/* Everything that is there, and what comes meanwhile. */
static void on_input(int fd, short what, void *arg)
{
    struct conn *c = arg;
    (void)what;
    for (;;) { // EXPECT: awaitc-drain-loop
        ssize_t n = read(fd, c->in, sizeof c->in);
        if (n < 0) {
            if (errno == EINTR)
                continue;
            break;
        }
        if (n == 0)
            return;
        feed(c, c->in, n);
    }
}

static void on_connection(int fd, short what, void *arg)
{
    int client;
    (void)what, (void)arg;
    while ((client = accept4(fd, NULL, NULL, SOCK_NONBLOCK)) >= 0) // EXPECT: awaitc-drain-loop
        add_client(client);
}

/* One packet; the caller comes back for the next. */
static int one_packet(int fd)
{
    char buf[1500];
    ssize_t n = recvfrom(fd, buf, sizeof buf, MSG_DONTWAIT, NULL, NULL);
    if (n < 0)
        return -1;
    log_packet(buf, n);
    return 0;
}

static void on_packets(int fd, short what, void *arg)
{
    (void)what, (void)arg;
    while (one_packet(fd) == 0) // EXPECT: awaitc-drain-loop
        ;
}

static int next_message(struct conn *c, void *buf, size_t size)
{
    struct iovec to = { buf, size };
    struct msghdr m = { .msg_iov = &to, .msg_iovlen = 1 };
    return (int)recvmsg(c->fd, &m, MSG_DONTWAIT);
}

static void on_messages(int fd, short what, void *arg)
{
    char buf[1024];
    struct conn *c = arg;
    int n;
    (void)fd, (void)what;
    do { // EXPECT: awaitc-drain-loop
        n = next_message(c, buf, sizeof buf);
        if (n > 0)
            log_packet(buf, n);
    } while (n > 0);
}

/* A full buffer means that there is more. */
static void on_full(int fd, short what, void *arg)
{
    struct conn *c = arg;
    ssize_t n;
    (void)what;
    do { // EXPECT: awaitc-drain-loop
        n = recv(fd, c->in, sizeof c->in, MSG_DONTWAIT);
        if (n <= 0)
            break;
        c->total += (size_t)n;
        feed(c, c->in, n);
    } while (n == (ssize_t)sizeof c->in);
}

void start(struct event_base *b, struct conn *c)
{
    event_add(event_new(b, c->fd, 2, on_input, c), 0);
    event_add(event_new(b, c->fd, 2, on_connection, c), 0);
    event_add(event_new(b, c->fd, 2, on_packets, c), 0);
    event_add(event_new(b, c->fd, 2, on_messages, c), 0);
    event_add(event_new(b, c->fd, 2, on_full, c), 0);
}
