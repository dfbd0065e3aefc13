/* SPDX-License-Identifier: MIT */
/* SSL over a socket that is switched before. */
#include "../loops.h"
#include <fcntl.h>
#include <sys/socket.h>
typedef struct ssl_st SSL;
int SSL_set_fd(SSL *s, int fd);
int SSL_read(SSL *s, void *p, int n);
int SSL_accept(SSL *s);
struct tls {
    SSL *ssl;
    char b[512];
};

static void on_in(int fd, short what, void *arg)
{
    struct tls *t = arg;
    (void)fd;
    (void)what;
    if (SSL_accept(t->ssl) == 1)
        SSL_read(t->ssl, t->b, sizeof t->b);
}

void tls_start(struct event_base *b, struct tls *t, int lfd)
{
    int fd = accept(lfd, NULL, NULL);
    if (fd < 0 || evutil_make_socket_nonblocking(fd) < 0)
        return;
    SSL_set_fd(t->ssl, fd);
    event_add(event_new(b, fd, EV_READ, on_in, t), NULL);
}
