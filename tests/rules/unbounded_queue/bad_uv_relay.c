#include "../loops.h"
#include <stdlib.h>
typedef struct uv_write_s { void *data; } uv_write_t;
typedef void (*uv_write_cb)(uv_write_t *r, int status);
int uv_write(uv_write_t *r, uv_stream_t *s, const uv_buf_t *b, unsigned n, uv_write_cb cb);
struct sub { uv_stream_t *out; uv_write_t req; };
void sent(uv_write_t *r, int status);

static void on_read(uv_stream_t *s, ssize_t n, const uv_buf_t *b)
{
    struct sub *sub = s->data;
    uv_write_t *w;

    if (n <= 0)
        return;
    w = malloc(sizeof *w);
    if (w == NULL)
        return;
    w->data = b->base;
    uv_write(w, sub->out, b, 1, sent); // EXPECT: awaitc-unbounded-queue
}
static void on_alloc(uv_handle_t *h, size_t n, uv_buf_t *b)
{
    (void)h;
    b->base = malloc(n);
    b->len = n;
}
void sub_start(struct sub *s, uv_stream_t *in)
{
    in->data = s;
    uv_read_start(in, on_alloc, on_read);
}
