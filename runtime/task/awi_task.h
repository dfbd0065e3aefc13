/* SPDX-License-Identifier: MIT */
/*
 * What does the rest of the runtime see of tasks? The seam between the core (task/, sched/) and
 * the services with their leaves (timer/, reactor/, blocking/, net/, fs/, sync/).
 *
 * A leaf is an async function written by hand in plain C. Its frame, at `fp`, starts with
 * `aw_frame head`; awaitc.h announces the frame's size (AW_LEAF_), callers keep that much room.
 *
 *     void aw_thing(aw_cx *c, void *fp, int arg)        (asm name: AW_SYMBOL("aw_thing"))
 *     {
 *         struct thing_frame *f = fp;
 *         if (awi_leaf_cancelled(c, fp))
 *             return;                                   a cancel point, before anything is done
 *         ... done at once? return the result natively
 *         awi_leaf_target(c, &f->target);
 *         ... give f to the wheel, the reactor, a pool
 *         awi_leaf_suspend(c, &f->head, &thing_site);
 *     }
 *
 * The event's arrival calls awi_leaf_complete(&f->target): once a suspension, and only while the
 * leaf waits. Then the strand resumes site->resume(c, frame, state):
 *
 *     state has no AW_CANCEL   the event arrived: store the result at AW_RESULT(frame, T), set
 *                              c->ret to it (nothing for void), return; or wait on: call
 *                              awi_leaf_wait_on and return
 *     state has AW_CANCEL      (only sites with AW_SITE_CLEAN, at most once a suspension, never
 *                              after the event's arrival) unlink, so that nothing completes the
 *                              target any more, and return: the await is cancelled. Or, if it
 *                              cannot be undone: awi_leaf_wait_on and return; the leaf is then
 *                              resumed without AW_CANCEL when its event arrives, and completes
 *                              (completion wins, the cancel lands at the next await), or calls
 *                              awi_leaf_land_cancel and returns (the cancel lands here)
 *
 * A resume never runs on the C stack of awi_leaf_complete: that only marks and queues.
 */
#ifndef AWAITC_RUNTIME_AWI_TASK_H
#define AWAITC_RUNTIME_AWI_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <awaitc/abi.h>
#include <awaitc/plain.h>

/* Marks a function of the runtime as visible to programs that link a shared libawaitc. */
#define AWI_PUBLIC __attribute__((visibility("default")))
/* Gives a leaf its linker name; on a declaration before the definition. */
#define AWI_LEAF(name) __asm__(AW_SYMBOL(#name)) AWI_PUBLIC

/* The site of a leaf. */
#define AWI_LEAF_SITE(name, resume_fn, more_flags)                                                 \
    {                                                                                              \
        .resume = (resume_fn), .state = 1, .flags = (uint16_t)(AW_SITE_LEAF | (more_flags)),       \
        .line = 0, .func = (name), .file = "awaitc"                                                \
    }

/* Whom an event makes go on: the strand whose leaf waits. */
struct awi_wake_target {
    aw_cx *cx;
};

/* The cancel point on a leaf's entry: true if it has suspended as cancelled; the leaf returns. */
bool awi_leaf_cancelled(aw_cx *c, void *fp);

/* Suspends a leaf that has just been called. */
void awi_leaf_suspend(aw_cx *c, aw_frame *f, const aw_site *site);

/* Inside a leaf's resume: it goes on waiting, at the same site. */
void awi_leaf_wait_on(aw_cx *c, aw_frame *f);

/* Inside a leaf's resume without AW_CANCEL: the cancel that was asked for lands at this await. */
void awi_leaf_land_cancel(aw_cx *c, aw_frame *f);

/* Fills in the target that the leaf's event completes. */
void awi_leaf_target(aw_cx *c, struct awi_wake_target *target);

/* The leaf's event has arrived: its resume is queued. From the executor's own thread. Must not be
 * called from a signal handler. */
void awi_leaf_complete(struct awi_wake_target *target);

/* The same from any thread. `target` is not touched after the strand may have gone on. */
void awi_leaf_complete_remote(struct awi_wake_target *target);

#endif
