/* SPDX-License-Identifier: MIT */
/* The asynchronous forms of libuv. */
#include "../loops.h"
struct f {
    uv_loop_t *l;
    uv_fs_t r;
    uv_buf_t b;
    uv_timer_t t;
};

static void on_read(uv_fs_t *r)
{
    struct f *f = r->data;
    f->b.len = (size_t)r->result;
    uv_fs_req_cleanup(r);
}

static void on_open(uv_fs_t *r)
{
    struct f *f = r->data;
    int fd = (int)r->result;
    uv_fs_req_cleanup(r);
    uv_fs_read(f->l, &f->r, fd, &f->b, 1, 0, on_read);
}

static void on_tick(uv_timer_t *t)
{
    struct f *f = t->data;
    uv_fs_open(f->l, &f->r, "/etc/motd", 0, 0, on_open);
}

void start(struct f *f)
{
    f->t.data = f->r.data = f;
    uv_timer_start(&f->t, on_tick, 1, 0);
}
