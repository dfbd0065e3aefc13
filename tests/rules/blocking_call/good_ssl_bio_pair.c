/* SPDX-License-Identifier: MIT */
/* SSL over memory BIOs: the loop moves the bytes. */
#include "../loops.h"
typedef struct ssl_st SSL;
typedef struct bio_st BIO;
typedef struct bio_method_st BIO_METHOD;
BIO *BIO_new(const BIO_METHOD *m);
const BIO_METHOD *BIO_s_mem(void);
void SSL_set_bio(SSL *s, BIO *in, BIO *out);
int BIO_write(BIO *b, const void *p, int n);
int BIO_read(BIO *b, void *p, int n);
int SSL_do_handshake(SSL *s);
int SSL_read(SSL *s, void *p, int n);
struct tls {
    SSL *ssl;
    BIO *in, *out;
    char b[512];
};

static void on_bytes(uv_stream_t *s, ssize_t n, const uv_buf_t *buf)
{
    struct tls *t = s->data;
    BIO_write(t->in, buf->base, (int)n);
    SSL_do_handshake(t->ssl);
    SSL_read(t->ssl, t->b, sizeof t->b);
    BIO_read(t->out, t->b, sizeof t->b);
}

void tls_start(uv_stream_t *s, struct tls *t, uv_alloc_cb a)
{
    t->in = BIO_new(BIO_s_mem());
    t->out = BIO_new(BIO_s_mem());
    SSL_set_bio(t->ssl, t->in, t->out);
    s->data = t;
    uv_read_start(s, a, on_bytes);
}
