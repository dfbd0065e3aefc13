/* What a stream gives is written to the one that it belongs to. */
#include "../loops.h"

void *malloc(unsigned long);
void free(void *);
void give(uv_handle_t *h, unsigned long n, uv_buf_t *b);

struct pipe { uv_stream_t *to; };

static void written(uv_write_t *w, int status)
{
    (void)status;
    free(w);
}

static void on_data(uv_stream_t *s, long n, const uv_buf_t *b)
{
    struct pipe *p = s->data;
    uv_write_t *w;
    uv_buf_t out = {b->base, (unsigned long)n};

    if (n <= 0)
        return;
    w = malloc(sizeof *w);
    uv_write(w, p->to, &out, 1, written); // EXPECT: awaitc-unbounded-queue
}

int pipe_start(uv_stream_t *from)
{
    return uv_read_start(from, give, on_data);
}
