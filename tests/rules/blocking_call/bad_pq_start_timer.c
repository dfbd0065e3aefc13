/* SPDX-License-Identifier: MIT */
/* A reconnect timer "starts" a connection: the name is looked up at once, on the loop. */
#include "../loops.h"
typedef struct pg_conn PGconn;
PGconn *PQconnectStart(const char *info);
int PQconnectPoll(PGconn *c);

struct db {
    PGconn *c;
    const char *url;
    uv_timer_t again;
};

static void on_retry(uv_timer_t *t)
{
    struct db *d = t->data;

    d->c = PQconnectStart(d->url); // EXPECT: awaitc-blocking-call
    if (d->c)
        PQconnectPoll(d->c);
}

void db_lost(struct db *d)
{
    d->again.data = d;
    uv_timer_start(&d->again, on_retry, 1000, 0);
}
