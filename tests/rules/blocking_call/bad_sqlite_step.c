/* SPDX-License-Identifier: MIT */
/* The history is written through a prepared statement from the read callback. */
#include "../loops.h"
typedef struct sqlite3_stmt sqlite3_stmt;
int sqlite3_step(sqlite3_stmt *s);
int sqlite3_reset(sqlite3_stmt *s);
struct log {
    sqlite3_stmt *insert;
};

static void log_line(struct log *l)
{
    while (sqlite3_step(l->insert) == 5) /* LEAF */
        ;
    sqlite3_reset(l->insert);
}

static void on_line(uv_stream_t *s, ssize_t n, const uv_buf_t *b)
{
    (void)b;
    if (n > 0)
        log_line(s->data); // EXPECT: awaitc-blocking-call
}

void log_start(uv_stream_t *s, uv_alloc_cb alloc)
{
    uv_read_start(s, alloc, on_line);
}
