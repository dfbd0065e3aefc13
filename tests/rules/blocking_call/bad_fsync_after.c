/* SPDX-License-Identifier: MIT */
/* The after-work callback runs on the loop, and syncs there. */
#include "../loops.h"
#include <unistd.h>

struct save {
    uv_work_t req;
    int fd;
    char *text;
    size_t n;
};

static void do_save(uv_work_t *w)
{
    struct save *s = w->data;
    if (write(s->fd, s->text, s->n) != (ssize_t)s->n)
        s->n = 0;
}

static void saved(uv_work_t *w, int status)
{
    struct save *s = w->data;

    if (status == 0)
        fsync(s->fd); // EXPECT: awaitc-blocking-call
    close(s->fd);
}

void save_start(uv_loop_t *l, struct save *s)
{
    s->req.data = s;
    uv_queue_work(l, &s->req, do_save, saved);
}
