#include <stdlib.h>
#include <string.h>
#include <stdio.h>
typedef struct uv_loop_s uv_loop_t; typedef struct uv_timer_s { void *data; } uv_timer_t; typedef struct uv_idle_s { void *data; } uv_idle_t; typedef struct uv_async_s { void *data; } uv_async_t;
typedef struct uv_poll_s { void *data; } uv_poll_t; typedef struct uv_stream_s { void *data; } uv_stream_t; typedef struct uv_buf_t { char *base; unsigned long len; } uv_buf_t; typedef struct uv_handle_s uv_handle_t;
typedef struct uv_work_s { void *data; } uv_work_t;
int uv_timer_start(uv_timer_t *t, void (*cb)(uv_timer_t *), unsigned long a, unsigned long b);
int uv_async_init(uv_loop_t *l, uv_async_t *a, void (*cb)(uv_async_t *));
int uv_poll_start(uv_poll_t *p, int ev, void (*cb)(uv_poll_t *, int, int));
int uv_read_start(uv_stream_t *s, void (*alloc)(uv_handle_t *, unsigned long, uv_buf_t *), void (*cb)(uv_stream_t *, long, const uv_buf_t *));
int uv_queue_work(uv_loop_t *l, uv_work_t *w, void (*work)(uv_work_t *), void (*after)(uv_work_t *, int));

struct item { char *key; long expires; int used; struct item *next; };
struct cache { size_t nslots; struct item *slot; long now; struct item *head; unsigned count; };
void evict(struct cache *c, struct item *i);
void index_row(void *row); void *next_row(void *db);
void emit(void *out, const char *k); int match(const char *p, const char *k);
static void on_sweep(uv_timer_t *t)
{
    struct cache *c = t->data;
    for (size_t i = 0; i < c->nslots; i++) // EXPECT: awaitc-cpu-heavy-loop
        if (c->slot[i].used && c->slot[i].expires < c->now)
            evict(c, &c->slot[i]);
}
static void on_reindex(uv_timer_t *t)
{
    void *row;
    while ((row = next_row(t->data)) != NULL) // EXPECT: awaitc-cpu-heavy-loop
        index_row(row);
}
struct entry { struct entry *next; char *key; };
struct db { struct entry **table; unsigned long size; const char *pattern; struct entry *all; };
static void on_keys(uv_async_t *a)
{
    struct db *d = a->data;
    for (unsigned long i = 0; i < d->size; i++) // EXPECT: awaitc-cpu-heavy-loop
        for (struct entry *e = d->table[i]; e; e = e->next)
            if (match(d->pattern, e->key))
                emit(d, e->key);
}
static void on_flush(uv_async_t *a)
{
    struct db *d = a->data;
    struct entry *e = d->all;
    while (e != NULL) { // EXPECT: awaitc-cpu-heavy-loop
        struct entry *n = e->next;
        free(e->key);
        free(e);
        e = n;
    }
    d->all = NULL;
}
struct matrix { unsigned n; double *a, *b, *c; };
static void on_multiply(uv_timer_t *t)
{
    struct matrix *m = t->data;
    for (unsigned i = 0; i < m->n; i++) // EXPECT: awaitc-cpu-heavy-loop
        for (unsigned j = 0; j < m->n; j++) {
            double s = 0;
            for (unsigned k = 0; k < m->n; k++)
                s += m->a[i * m->n + k] * m->b[k * m->n + j];
            m->c[i * m->n + j] = s;
        }
}
void start(uv_timer_t *t, uv_async_t *a, uv_loop_t *l)
{
    uv_timer_start(t, on_sweep, 0, 1000); uv_timer_start(t, on_reindex, 0, 1000);
    uv_async_init(l, a, on_keys); uv_async_init(l, a, on_flush); uv_timer_start(t, on_multiply, 0, 0);
}
