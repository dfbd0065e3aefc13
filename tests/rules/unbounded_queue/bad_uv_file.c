#include "../loops.h"
#include <stdlib.h>
#include <string.h>
struct chunk { struct chunk *next; size_t n; char b[]; };
struct file { struct chunk *head, **tail; size_t bytes; uv_async_t *writer; };
static void on_read(uv_stream_t *s, ssize_t n, const uv_buf_t *buf)
{
    struct file *f = s->data;
    if (n <= 0)
        return;
    struct chunk *c = malloc(sizeof *c + (size_t)n);
    if (c == NULL)
        return;
    memcpy(c->b, buf->base, (size_t)n);
    c->n = (size_t)n;
    c->next = NULL;
    *f->tail = c; // EXPECT: awaitc-unbounded-queue
    f->tail = &c->next;
    f->bytes += c->n;
    uv_async_send(f->writer);
}
void on_alloc(uv_handle_t *h, size_t n, uv_buf_t *b);
void file_start(uv_stream_t *s, struct file *f)
{
    s->data = f;
    uv_read_start(s, on_alloc, on_read);
}
