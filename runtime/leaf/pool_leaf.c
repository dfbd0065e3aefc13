/* SPDX-License-Identifier: MIT */
/*
 * aw_pool_run: what aw_blocking and aw_compute lower to. The job is in the caller's frame, so the
 * leaf does not let go of it before it has run, queued or running: a cancel waits for its end and
 * then lands at this await. Where there is no thread at all, it runs here: late is better than
 * never.
 */
#include "runtime/sched/awi_sched.h"
#include "runtime/task/awi_task.h"
#include "runtime/task/leaf_room.h"

struct pool_frame {
    aw_frame head;
    struct awi_wake_target target;
    struct awi_job job;
    void (*run)(void *arg);
    void *arg;
    bool cancelled; /* a cancel waits for the job's end */
};

_Static_assert(sizeof(struct pool_frame) <= AW_POOL_NEED, "abi.h: AW_POOL_NEED");

static void pool_resume(aw_cx *c, aw_frame *frame, unsigned state)
{
    struct pool_frame *f = (struct pool_frame *)frame;
    if (state & AW_CANCEL) {
        f->cancelled = true;
        awi_leaf_wait_on(c, frame);
    } else if (f->cancelled) {
        awi_leaf_land_cancel(c, frame);
    }
}

static const aw_site blocking_site = AWI_LEAF_SITE("aw_blocking", pool_resume, AW_SITE_CLEAN);
static const aw_site compute_site = AWI_LEAF_SITE("aw_compute", pool_resume, AW_SITE_CLEAN);

static void pool_job(struct awi_job *job)
{
    struct pool_frame *f =
        (struct pool_frame *)(void *)((char *)job - offsetof(struct pool_frame, job));
    f->run(f->arg);
    awi_leaf_complete_remote(&f->target); /* f may be gone now */
}

void awi_leaf_pool_run(aw_cx *c, void *fp, int which, void (*run)(void *arg),
                       void *arg) __asm__("aw_pool_run") AWI_PUBLIC;

void awi_leaf_pool_run(aw_cx *c, void *fp, int which, void (*run)(void *arg), void *arg)
{
    struct awi_leaf_room room;
    if (awi_leaf_cancelled(c, fp))
        return;
    struct pool_frame *f = awi_leaf_room_begin(c, fp, sizeof *f, &room);
    if (f == NULL)
        return;
    f->job.run = pool_job;
    f->run = run;
    f->arg = arg;
    f->cancelled = false;
    awi_leaf_target(c, &f->target);
    awi_pool *pool = awi_executor_pool(awi_executor_current(), which);
    if (pool != NULL && awi_pool_submit(pool, &f->job) == 0)
        awi_leaf_suspend(c, &f->head, which == AW_POOL_COMPUTE ? &compute_site : &blocking_site);
    else
        run(arg);
    awi_leaf_room_end(c, &room);
}
