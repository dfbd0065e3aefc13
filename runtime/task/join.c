/* SPDX-License-Identifier: MIT */
/*
 * The leaf aw_join. It takes the handle, whatever happens: when the joiner is cancelled, at the
 * join or while it waits, the task is cancelled, and the joiner leaves only after the task has.
 * If the task returned normally in spite of that, completion has won: the join returns 0, and the
 * cancel lands at the joiner's next await. (A join that was asked before it began does not look at
 * the result: the cancel lands at the join.)
 */
#include <string.h>

#include "runtime/task/leaf_need.h"
#include "runtime/task/leaf_room.h"
#include "runtime/task/task_state.h"

struct join_frame {
    aw_frame head;
    struct awi_wake_target target;
    aw_task *task;
    void *result;
    bool was_asked; /* before the join began */
};
AWI_LEAF_FITS(struct join_frame, aw_join);

static void join_resume(aw_cx *c, aw_frame *frame, unsigned state);

static const aw_site join_site = AWI_LEAF_SITE("aw_join", join_resume, AW_SITE_CLEAN);

/* Reads the outcome of a task that is done, frees the handle. */
static int take_outcome(aw_task *t, void *result)
{
    int rc = t->rc;
    size_t bytes = t->site->result_bytes;
    if (rc == 0 && result != NULL && bytes != 0)
        memcpy(result, t->cx.ret, bytes);
    awi_task_release(t);
    return rc;
}

static void join_resume(aw_cx *c, aw_frame *frame, unsigned state)
{
    struct join_frame *f = (struct join_frame *)(void *)frame;
    if ((state & AW_CANCEL) != 0) {
        aw_cancel(f->task);
        awi_leaf_wait_on(c, frame);
        return;
    }
    int rc = take_outcome(f->task, f->was_asked ? NULL : f->result);
    if (f->was_asked || (rc != 0 && c->cancel == AW_CANCEL_ASKED)) {
        awi_leaf_land_cancel(c, frame);
        return;
    }
    int *out = AW_RESULT(frame, int);
    *out = rc;
    c->ret = out;
}

/* The task is done: the join ends at once. */
static int join_done(aw_cx *c, void *fp, aw_task *t, void *result)
{
    int rc = take_outcome(t, c->cancel == AW_CANCEL_ASKED ? NULL : result);
    return awi_leaf_cancelled(c, fp) ? 0 : rc;
}

/* Suspends until the task has ended; false if it just has. */
static bool join_wait(aw_cx *c, struct join_frame *f, aw_task *t, void *result)
{
    f->task = t;
    f->result = result;
    f->was_asked = c->cancel == AW_CANCEL_ASKED;
    awi_leaf_target(c, &f->target);
    if (f->was_asked)
        aw_cancel(t);
    t->joiner = &f->target;
    if (!awi_state_join(t))
        return false;
    awi_leaf_suspend(c, &f->head, &join_site);
    if (f->was_asked)
        c->state |= AWI_STRAND_TOLD;
    return true;
}

int awi_leaf_join(aw_cx *c, void *fp, aw_task *t, void *result) AWI_LEAF(aw_join);

int awi_leaf_join(aw_cx *c, void *fp, aw_task *t, void *result)
{
    struct awi_leaf_room room;
    if (t == NULL)
        return awi_leaf_cancelled(c, fp) ? 0 : -EINVAL;
    awi_check_handle(t, "aw_join");
    if (awi_state_is_done(t))
        return join_done(c, fp, t, result);
    struct join_frame *f = awi_leaf_room_begin(c, fp, sizeof *f, &room);
    if (f == NULL) {
        aw_cancel(t); /* as for any joiner that leaves, but there is no frame to wait in */
        awi_task_release(t);
        return 0;
    }
    bool waits = join_wait(c, f, t, result);
    awi_leaf_room_end(c, &room);
    return waits ? 0 : join_done(c, fp, t, result);
}
