/* SPDX-License-Identifier: MIT */
/* A parser with a table of many states: each of its functions is run by the callback. */
#include "../loops.h"

#include <sys/file.h>

struct parser;
typedef void (*state_fn)(struct parser *p, int c);
struct state {
    const char *name;
    state_fn run;
};
struct parser {
    const struct state *now;
    int fd, depth;
};

static void in_text(struct parser *p, int c)
{
    p->depth += c == '{';
}

static void in_number(struct parser *p, int c)
{
    p->depth -= c == '}';
}

static void in_string(struct parser *p, int c)
{
    p->depth += c == '"';
}

static void in_escape(struct parser *p, int c)
{
    p->depth += c == '\\';
}

static void in_comment(struct parser *p, int c)
{
    p->depth += c == '#';
}

static void in_store(struct parser *p, int c)
{
    flock(p->fd, LOCK_EX); /* LEAF */
    p->depth += c;
    flock(p->fd, LOCK_UN);
}

static const struct state states[] = {
    {"text", in_text},     {"number", in_number},   {"string", in_string},
    {"escape", in_escape}, {"comment", in_comment}, {"store", in_store},
};

static void feed(struct parser *p, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p->now->run(p, text[i]);
    p->now = &states[p->depth & 1];
}

static void on_text(uv_stream_t *s, ssize_t n, const uv_buf_t *b)
{
    if (n > 0)
        feed(s->data, b->base, (size_t)n); // EXPECT: awaitc-blocking-call
}

void parse_stream(uv_stream_t *s, uv_alloc_cb alloc)
{
    uv_read_start(s, alloc, on_text);
}
