#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <errno.h>
#include <sys/socket.h>
#include <sys/epoll.h>
#include <signal.h>
#include <sys/signalfd.h>
typedef struct sd_event sd_event; typedef struct sd_event_source sd_event_source;
typedef int (*sd_event_io_handler_t)(sd_event_source *s, int fd, unsigned revents, void *u);
typedef int (*sd_event_time_handler_t)(sd_event_source *s, unsigned long usec, void *u);
int sd_event_add_io(sd_event *e, sd_event_source **s, int fd, unsigned ev, sd_event_io_handler_t cb, void *u);
int sd_event_add_time(sd_event *e, sd_event_source **s, int clock, unsigned long usec, unsigned long acc, sd_event_time_handler_t cb, void *u);
struct out { char *p; size_t len, off; int fd; };
struct req { struct req *next; int id; unsigned long deadline; };
struct srv { struct req *pending; struct out o; unsigned nreq; char *names[32]; struct srv *next; };
void timeout_request(struct srv *s, struct req *r); int parse_packet(struct srv *s, const unsigned char *p, size_t n);
void finish(struct srv *s); void dispatch(struct srv *s, int sig);
/* writes what fits */
static int on_writable(sd_event_source *es, int fd, unsigned ev, void *u)
{
    struct srv *s = u; (void)es; (void)ev;
    while (s->o.off < s->o.len) {
        ssize_t k = send(fd, s->o.p + s->o.off, s->o.len - s->o.off, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (k < 0) {
            if (errno == EINTR)
                continue;
            return errno == EAGAIN ? 0 : -errno;
        }
        s->o.off += (size_t)k;
    }
    finish(s);
    return 0;
}
/* a list with removal */
static int on_time(sd_event_source *es, unsigned long now, void *u)
{
    struct srv *s = u; (void)es;
    struct req **pp = &s->pending;
    while (*pp) {
        struct req *r = *pp;
        if (r->deadline <= now) {
            *pp = r->next;
            timeout_request(s, r);
            free(r);
        } else {
            pp = &r->next;
        }
    }
    for (struct srv *x = s; x; x = x->next)
        x->nreq = 0;
    return 0;
}
/* one datagram of several records */
static int on_packet(sd_event_source *es, int fd, unsigned ev, void *u)
{
    struct srv *s = u; (void)es; (void)ev;
    unsigned char pkt[1500];
    ssize_t n = recv(fd, pkt, sizeof pkt, MSG_DONTWAIT);
    if (n < 0)
        return errno == EAGAIN ? 0 : -errno;
    size_t at = 0;
    while (at + 4 <= (size_t)n) {
        size_t len = (size_t)pkt[at + 2] << 8 | pkt[at + 3];
        if (len < 4 || at + len > (size_t)n)
            break;
        parse_packet(s, pkt + at, len);
        at += len;
    }
    for (unsigned i = 0; i < 32; i++)
        free(s->names[i]);
    return 0;
}
static int on_signal(sd_event_source *es, int fd, unsigned ev, void *u)
{
    struct signalfd_siginfo si; (void)es; (void)ev;
    if (read(fd, &si, sizeof si) == sizeof si)
        dispatch(u, (int)si.ssi_signo);
    return 0;
}
/* a response for one request at a time */
static int on_next(sd_event_source *es, unsigned long now, void *u)
{
    struct srv *s = u; (void)es; (void)now;
    struct req *r = s->pending;
    if (r) {
        s->pending = r->next;
        free(r);
    }
    struct req *last = NULL;
    for (r = s->pending; r; r = r->next)
        last = r;
    if (last)
        last->id++;
    return 0;
}
int start(sd_event *e, struct srv *s, int fd)
{
    sd_event_source *x;
    sd_event_add_io(e, &x, fd, EPOLLOUT, on_writable, s);
    sd_event_add_time(e, &x, 1, 0, 0, on_time, s);
    sd_event_add_io(e, &x, fd, EPOLLIN, on_packet, s);
    sd_event_add_io(e, &x, fd, EPOLLIN, on_signal, s);
    return sd_event_add_time(e, &x, 1, 0, 0, on_next, s);
}
