/* SPDX-License-Identifier: MIT */
/* The address is numeric, and the polls follow the socket. */
#include "../loops.h"
typedef struct pg_conn PGconn;
PGconn *PQconnectStart(const char *info);
int PQconnectPoll(PGconn *c);
int PQconsumeInput(PGconn *c);
int PQisBusy(PGconn *c);
void *PQgetResult(PGconn *c);

struct db {
    PGconn *c;
};

static void on_retry(uv_timer_t *t)
{
    struct db *d = t->data;
    d->c = PQconnectStart("hostaddr=10.0.0.5 dbname=x");
}

static void on_ready(uv_poll_t *p, int status, int events)
{
    struct db *d = p->data;
    (void)status;
    (void)events;
    if (!PQconsumeInput(d->c))
        return;
    while (!PQisBusy(d->c))
        if (!PQgetResult(d->c))
            break;
}

void db_start(struct db *d, uv_timer_t *t, uv_poll_t *p)
{
    t->data = p->data = d;
    uv_timer_start(t, on_retry, 0, 0);
    uv_poll_start(p, 1, on_ready);
}
