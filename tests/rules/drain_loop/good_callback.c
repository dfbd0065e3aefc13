#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <sys/time.h>
struct event;
struct event_base;
struct event *event_new(struct event_base *b, int fd, short what, void (*cb)(int, short, void *),
                        void *arg);
int event_add(struct event *ev, const struct timeval *tv);

#define MAX_PER_CALL 16
struct conn { int fd; char in[4096]; size_t have, want; unsigned budget; };
struct nlmsg { int len, type; };
void feed(struct conn *c, const char *p, ssize_t n);
void add_client(int fd);
int client_limit(void);
long now_ms(void);

/* Once; the loop calls again. */
static void on_input(int fd, short what, void *arg)
{
    struct conn *c = arg;
    ssize_t n;
    (void)what;
    do
        n = read(fd, c->in, sizeof c->in);
    while (n < 0 && errno == EINTR);
    if (n > 0)
        feed(c, c->in, n);
}

/* So many, so long, as much as fits. */
static void on_connection(int fd, short what, void *arg)
{
    struct conn *c = arg;
    int client;
    (void)what;
    for (int i = 0; i < MAX_PER_CALL; i++) {
        client = accept4(fd, NULL, NULL, SOCK_NONBLOCK);
        if (client < 0)
            break;
        add_client(client);
    }
    unsigned left = c->budget;
    while (left-- > 0 && (client = accept4(fd, NULL, NULL, SOCK_NONBLOCK)) >= 0)
        add_client(client);
    long until = now_ms() + 2;
    while ((client = accept4(fd, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        add_client(client);
        if (now_ms() >= until)
            break;
    }
}

static void on_body(int fd, short what, void *arg)
{
    struct conn *c = arg;
    (void)what;
    while (c->have < sizeof c->in) {
        ssize_t n = recv(fd, c->in + c->have, sizeof c->in - c->have, MSG_DONTWAIT);
        if (n <= 0)
            return;
        c->have += (size_t)n;
    }
    feed(c, c->in, (ssize_t)c->have);
}

/* A pipe that only wakes up; children; the answer to a request of our own. */
static void on_wake(int fd, short what, void *arg)
{
    char buf[64];
    struct conn *c = arg;
    int status;
    (void)what;
    while (read(fd, buf, sizeof buf) > 0)
        ;
    while (waitpid(-1, &status, WNOHANG) > 0)
        c->budget++;
}

static void on_netlink(int fd, short what, void *arg)
{
    union { struct nlmsg m; char room[8192]; } buf;
    struct conn *c = arg;
    (void)what;
    while (recv(fd, &buf, sizeof buf, MSG_DONTWAIT) > 0) {
        if (buf.m.type == 3)
            break;
        feed(c, buf.room, buf.m.len);
    }
}

/* A thread may take its time. */
void *reader(void *arg)
{
    struct conn *c = arg;
    ssize_t n;
    while ((n = recv(c->fd, c->in, sizeof c->in, 0)) > 0)
        feed(c, c->in, n);
    return NULL;
}

void start(struct event_base *b, struct conn *c)
{
    event_add(event_new(b, c->fd, 2, on_input, c), 0);
    event_add(event_new(b, c->fd, 2, on_connection, c), 0);
    event_add(event_new(b, c->fd, 2, on_body, c), 0);
    event_add(event_new(b, c->fd, 2, on_wake, c), 0);
    event_add(event_new(b, c->fd, 2, on_netlink, c), 0);
}
