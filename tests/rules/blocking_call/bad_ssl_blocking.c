/* SPDX-License-Identifier: MIT */
/* SSL over a descriptor that nobody switched. */
#include "../loops.h"
#include <sys/socket.h>
typedef struct ssl_st SSL;
int SSL_set_fd(SSL *s, int fd);
int SSL_accept(SSL *s);
struct tls {
    SSL *ssl;
    int fd;
};

static void on_handshake(int fd, short what, void *arg)
{
    struct tls *t = arg;

    (void)fd;
    (void)what;
    SSL_accept(t->ssl); // EXPECT: awaitc-blocking-call
}

void tls_start(struct event_base *b, struct tls *t, int lfd)
{
    t->fd = accept(lfd, NULL, NULL);
    SSL_set_fd(t->ssl, t->fd);
    event_add(event_new(b, t->fd, EV_READ, on_handshake, t), NULL);
}
