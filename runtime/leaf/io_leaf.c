/* SPDX-License-Identifier: MIT */
/*
 * The engine of io_leaf.h. `advance` turns the crank: it takes the outcome of the last attempt and
 * goes on until the operation has a result or waits for somebody. The first attempt is made before
 * there is a frame: an operation that need not wait leaves no trace.
 */
#include "runtime/leaf/io_leaf.h"

#include "runtime/reactor/io_try.h"
#include "runtime/task/leaf_room.h"

/* The outcome of `advance`: no attempt of ours fails with it. */
#define WAITS (-EINPROGRESS)

static ssize_t attempt(enum awi_io_leaf_kind kind, int fd, void *buf, size_t len)
{
    switch (kind) {
    case AWI_LEAF_READ:
        return awi_try_read(fd, buf, len);
    case AWI_LEAF_WRITE:
    case AWI_LEAF_WRITE_ALL:
        return awi_try_write(fd, buf, len);
    case AWI_LEAF_ACCEPT:
        break;
    }
    return awi_try_accept(fd);
}

/* The plain call; on a thread of the blocking pool, as a rule. */
static ssize_t call_plainly(const struct awi_io_leaf *f)
{
    switch ((enum awi_io_leaf_kind)f->kind) {
    case AWI_LEAF_READ:
        return awi_plain_read(f->io.fd, f->io.buf, f->io.len);
    case AWI_LEAF_WRITE:
    case AWI_LEAF_WRITE_ALL:
        return awi_plain_write(f->io.fd, f->io.buf, f->io.len);
    case AWI_LEAF_ACCEPT:
        break;
    }
    return awi_plain_accept(f->io.fd);
}

/* ---- waiting ----------------------------------------------------------------------------- */

static void io_done(struct awi_io *io, enum awi_io_caller caller)
{
    struct awi_io_leaf *f =
        (struct awi_io_leaf *)(void *)((char *)io - offsetof(struct awi_io_leaf, io));
    if (caller == AWI_IO_LOCAL)
        awi_leaf_complete(&f->target);
    else
        awi_leaf_complete_remote(&f->target);
}

static void pool_job(struct awi_job *job)
{
    struct awi_io_leaf *f =
        (struct awi_io_leaf *)(void *)((char *)job - offsetof(struct awi_io_leaf, job));
    f->io.result = call_plainly(f);
    awi_leaf_complete_remote(&f->target); /* f may be gone now */
}

static ssize_t wait_in_reactor(struct awi_io_leaf *f)
{
    f->in_pool = false;
    int rc = awi_reactor_submit(awi_executor_reactor(awi_executor_current()), &f->io);
    if (rc == 0)
        return WAITS;
    return rc == -EPERM ? AWI_TRY_POOL : rc;
}

static ssize_t wait_in_pool(struct awi_io_leaf *f)
{
    awi_pool *pool = awi_executor_pool(awi_executor_current(), AW_POOL_BLOCKING);
    f->in_pool = true;
    if (pool != NULL && awi_pool_submit(pool, &f->job) == 0)
        return WAITS;
    return call_plainly(f); /* no thread at all */
}

/* `n`: the outcome of the last attempt. WAITS, or the result. */
static ssize_t advance(struct awi_io_leaf *f, ssize_t n)
{
    for (;;) {
        if (n == AWI_TRY_AGAIN)
            n = wait_in_reactor(f);
        if (n == AWI_TRY_POOL)
            n = wait_in_pool(f);
        if (n == AWI_TRY_AGAIN)
            continue;
        if (n < 0 || f->kind != AWI_LEAF_WRITE_ALL)
            return n;
        if (n == 0 && f->io.len != 0) /* a driver that takes nothing would keep us for ever */
            return -EIO;
        f->io.buf = (char *)f->io.buf + n;
        f->io.len -= (size_t)n;
        if (f->io.len == 0)
            return 0;
        n = attempt(AWI_LEAF_WRITE_ALL, f->io.fd, f->io.buf, f->io.len);
    }
}

/* What the caller gets. */
static ssize_t finish(enum awi_io_leaf_kind kind, ssize_t n)
{
    if (kind == AWI_LEAF_ACCEPT && n >= 0)
        awi_reactor_adopt((int)n);
    return n;
}

/* ---- the leaf ---------------------------------------------------------------------------- */

/* The first attempt was not the end of it: from here on there is a frame. */
static ssize_t start(aw_cx *c, void *fp, const struct awi_io_args *args, ssize_t n)
{
    static const uint8_t op_of[] = {
        [AWI_LEAF_READ] = AWI_IO_READ,
        [AWI_LEAF_WRITE] = AWI_IO_WRITE,
        [AWI_LEAF_WRITE_ALL] = AWI_IO_WRITE,
        [AWI_LEAF_ACCEPT] = AWI_IO_ACCEPT,
    };
    struct awi_leaf_room room;
    struct awi_io_leaf *f = awi_leaf_room_begin(c, fp, sizeof *f, &room);
    if (f == NULL)
        return 0;
    f->kind = (uint8_t)args->kind;
    f->cancelled = false;
    f->io = (struct awi_io){.fd = args->fd,
                            .op = op_of[args->kind],
                            .buf = args->buf,
                            .len = args->len,
                            .done = io_done};
    f->job.run = pool_job;
    awi_leaf_target(c, &f->target);
    n = advance(f, n);
    if (n == WAITS) {
        awi_leaf_suspend(c, &f->head, args->site);
        n = 0;
    }
    awi_leaf_room_end(c, &room);
    return n;
}

ssize_t awi_io_leaf_run(aw_cx *c, void *fp, const struct awi_io_args *args)
{
    if (awi_leaf_cancelled(c, fp))
        return 0;
    ssize_t n = attempt(args->kind, args->fd, args->buf, args->len);
    bool some = args->kind == AWI_LEAF_WRITE_ALL && n >= 0 && (size_t)n < args->len;
    if (some || n == AWI_TRY_AGAIN || n == AWI_TRY_POOL)
        n = start(c, fp, args, n);
    else if (args->kind == AWI_LEAF_WRITE_ALL && n > 0)
        n = 0;
    return finish(args->kind, n);
}

static void store_result(aw_cx *c, struct awi_io_leaf *f, ssize_t n)
{
    if (f->kind == AWI_LEAF_ACCEPT) {
        int *result = AW_RESULT(f, int);
        *result = (int)n;
        c->ret = result;
    } else {
        ssize_t *result = AW_RESULT(f, ssize_t);
        *result = n;
        c->ret = result;
    }
}

static void cancel(aw_cx *c, struct awi_io_leaf *f)
{
    awi_reactor *reactor = awi_executor_reactor(awi_executor_current());
    if (!f->in_pool && awi_reactor_cancel(reactor, &f->io))
        return;
    f->cancelled = true;
    awi_leaf_wait_on(c, &f->head);
}

/* `n` is the outcome that a cancel has waited for: has the operation taken effect as a whole? */
static bool is_complete(const struct awi_io_leaf *f, ssize_t n)
{
    if (f->kind == AWI_LEAF_WRITE_ALL && n >= 0)
        return (size_t)n >= f->io.len;
    return n != AWI_TRY_AGAIN;
}

void awi_io_leaf_resume(aw_cx *c, aw_frame *frame, unsigned state)
{
    struct awi_io_leaf *f = (struct awi_io_leaf *)frame;
    if (state & AW_CANCEL) {
        cancel(c, f);
        return;
    }
    ssize_t n = f->io.result;
    if (f->cancelled && !is_complete(f, n)) {
        awi_leaf_land_cancel(c, frame);
        return;
    }
    if (n == AWI_TRY_AGAIN)
        n = attempt((enum awi_io_leaf_kind)f->kind, f->io.fd, f->io.buf, f->io.len);
    n = advance(f, n);
    if (n == WAITS)
        awi_leaf_wait_on(c, frame);
    else
        store_result(c, f, finish((enum awi_io_leaf_kind)f->kind, n));
}
