/* SPDX-License-Identifier: MIT */
/* uv_fs_* with a NULL callback is synchronous. */
#include "../loops.h"

static int file_age(uv_loop_t *l, const char *path)
{
    uv_fs_t r;
    int e = uv_fs_stat(l, &r, path, NULL); /* LEAF */
    uv_fs_req_cleanup(&r);
    return e;
}

struct cache {
    uv_loop_t *loop;
    const char *path;
    uv_timer_t t;
};

static void on_check(uv_timer_t *t)
{
    struct cache *c = t->data;

    file_age(c->loop, c->path); // EXPECT: awaitc-blocking-call
}

void cache_start(struct cache *c)
{
    c->t.data = c;
    uv_timer_start(&c->t, on_check, 1000, 1000);
}
