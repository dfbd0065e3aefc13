/* SPDX-License-Identifier: MIT */
/* Loops over what is there already: files, messages in memory, events of the kernel. */
#include "../loops.h"

#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry {
    int fd;
    struct stat st;
};
struct packet {
    unsigned char *at;
    size_t position, length;
};
struct reader {
    struct packet in;
    int granted[32];
};
struct bio;
struct bio *BIO_new(const void *method);
const void *BIO_s_mem(void);
int BIO_read(struct bio *b, void *to, int size);
int BIO_write(struct bio *b, const void *from, int size);
int packet_read_byte(struct packet *p, unsigned char *byte);
void append(struct entry *e, const char *text, size_t size);
void changed(const char *name);

static void on_request(int fd, short what, void *arg)
{
    struct entry *e = arg;
    char buf[4096];
    ssize_t n;
    (void)fd;
    (void)what;
    size_t limit = e->st.st_size > 4096 ? 2 : 1;
    const int file = e->fd;
    while ((n = read(file, buf, sizeof buf)) > 0)
        append(e, buf, (size_t)n * limit);
}

static void on_packet(int fd, short what, void *arg)
{
    struct reader *r = arg;
    unsigned char byte;
    int i = 0;
    (void)fd;
    (void)what;
    while (packet_read_byte(&r->in, &byte) == 0)
        r->granted[i++] = byte;
}

static void on_text(int fd, short what, void *arg)
{
    struct bio *b = BIO_new(BIO_s_mem());
    char buf[64];
    int n;
    (void)fd;
    (void)what;
    BIO_write(b, "text", 4);
    while ((n = BIO_read(b, buf, sizeof buf)) > 0)
        append(arg, buf, (size_t)n);
}

static void on_change(int fd, short what, void *arg)
{
    char buf[4096];
    ssize_t n;
    (void)what;
    (void)arg;
    while ((n = read(fd, buf, sizeof buf)) > 0) {
        for (char *p = buf; p < buf + n;) {
            struct inotify_event *e = (struct inotify_event *)(void *)p;
            changed(e->name);
            p += sizeof *e + e->len;
        }
    }
}

static void on_sent(int fd, short what, void *arg)
{
    char control[256];
    struct msghdr m = {.msg_control = control, .msg_controllen = sizeof control};
    ssize_t n;
    (void)what;
    while ((n = recvmsg(fd, &m, MSG_ERRQUEUE | MSG_DONTWAIT)) >= 0)
        append(arg, control, (size_t)n);
}

void set_up(struct event_base *base, struct reader *r, struct entry *e)
{
    event_add(event_new(base, 1, EV_READ, on_request, e), NULL);
    event_add(event_new(base, 2, EV_READ, on_packet, r), NULL);
    event_add(event_new(base, 3, EV_READ, on_text, e), NULL);
    event_add(event_new(base, 4, EV_READ, on_change, e), NULL);
    event_add(event_new(base, 5, EV_READ, on_sent, e), NULL);
}
