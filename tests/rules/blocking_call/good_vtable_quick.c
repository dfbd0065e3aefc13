/* SPDX-License-Identifier: MIT */
/* Of two backends only the quick one is used on the loop; the other one runs on a pool. */
#include "../loops.h"
#include <unistd.h>
struct ops {
    int (*put)(int fd);
};
struct slow_ops {
    int (*put)(int fd);
};

static int mem_put(int fd)
{
    return fd + 1;
}

static int disk_put(int fd)
{
    return fsync(fd);
}

static const struct ops mem = {mem_put};
static const struct slow_ops disk = {disk_put};
struct st {
    const struct ops *o;
    const struct slow_ops *s;
    uv_work_t w;
};

static void work(uv_work_t *w)
{
    struct st *s = w->data;
    s->s->put(1);
}

static void after(uv_work_t *w, int status)
{
    struct st *s = w->data;
    s->o->put(status);
}

void start(uv_loop_t *l, struct st *s)
{
    s->o = &mem;
    s->s = &disk;
    s->w.data = s;
    uv_queue_work(l, &s->w, work, after);
}
