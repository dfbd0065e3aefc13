/* SPDX-License-Identifier: MIT */
/* The key's passphrase comes from a function, not from the terminal. */
#include "../loops.h"
typedef struct bio_st BIO;
typedef struct evp_pkey_st EVP_PKEY;
typedef int pem_password_cb(char *buf, int size, int rw, void *u);
BIO *BIO_new_mem_buf(const void *p, int n);
EVP_PKEY *PEM_read_bio_PrivateKey(BIO *b, EVP_PKEY **x, pem_password_cb *cb, void *u);

static int no_pass(char *buf, int size, int rw, void *u)
{
    (void)size;
    (void)rw;
    (void)u;
    buf[0] = 0;
    return 0;
}

static EVP_PKEY *parse_key(const char *pem, pem_password_cb *ask)
{
    return PEM_read_bio_PrivateKey(BIO_new_mem_buf(pem, -1), NULL, ask, NULL);
}

static void on_sighup(int sig, short what, void *arg)
{
    (void)sig;
    (void)what;
    parse_key(arg, no_pass);
}

void keys_watch(struct event_base *b, char *pem)
{
    event_add(event_new(b, 1, EV_SIGNAL | EV_PERSIST, on_sighup, pem), NULL);
}
