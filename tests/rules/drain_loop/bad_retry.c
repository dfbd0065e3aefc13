#include "../loops.h"
#include <sys/socket.h>
struct syslogd { unsigned long lines; };
void line(struct syslogd *s, const char *p, size_t n);
static ssize_t next_dgram(int fd, char *p, size_t n)
{
    ssize_t k;
    do
        k = recv(fd, p, n, MSG_DONTWAIT);
    while (k == 0);
    return k;
}
static void on_log(int fd, short what, void *arg)
{
    char buf[2048];
    ssize_t n;
    (void)what;
    while ((n = next_dgram(fd, buf, sizeof buf)) > 0) // EXPECT: awaitc-drain-loop
        line(arg, buf, (size_t)n);
}
void start(struct event_base *b, int fd, struct syslogd *s)
{
    event_add(event_new(b, fd, EV_READ | EV_PERSIST, on_log, s), NULL);
}
