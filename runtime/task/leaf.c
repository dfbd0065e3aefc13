/* SPDX-License-Identifier: MIT */
/* The helpers of awi_task.h with which leaves are written, and the two leaves that need no more:
 * aw_yield and aw_park. */
#include "runtime/task/task_state.h"

void awi_leaf_yield(aw_cx *c, void *fp) AWI_LEAF(aw_yield);
void awi_leaf_park(aw_cx *c, void *fp) AWI_LEAF(aw_park);

bool awi_leaf_cancelled(aw_cx *c, void *fp)
{
    if (AW_LIKELY(c->cancel != AW_CANCEL_ASKED))
        return false;
    awi_leaf_suspend(c, fp, &awi_cancelled_site);
    return true;
}

AWI_PUBLIC int aw_cancel_point(aw_cx *c, void *fp)
{
    return awi_leaf_cancelled(c, fp);
}

void awi_leaf_suspend(aw_cx *c, aw_frame *f, const aw_site *site)
{
    f->at = site;
    f->parent = NULL;
    c->pending = f;
    c->leaf = f;
}

void awi_leaf_wait_on(aw_cx *c, aw_frame *f)
{
    c->pending = f;
    c->leaf = f;
}

void awi_leaf_land_cancel(aw_cx *c, aw_frame *f)
{
    c->unwind = f; /* so that what finishes next, the leaf, is taken for unwound */
    c->cancel = AW_CANCEL_UNWINDING;
}

void awi_leaf_target(aw_cx *c, struct awi_wake_target *target)
{
    target->cx = c;
}

void awi_leaf_yield(aw_cx *c, void *fp)
{
    aw_frame *f = fp;
    if (awi_leaf_cancelled(c, fp))
        return;
    awi_leaf_suspend(c, f, &awi_yield_site);
    unsigned was = c->state;
    c->state = (uint16_t)(was | AWI_STRAND_READY | AWI_STRAND_LISTED);
    if (AW_LIKELY((was & AWI_STRAND_LISTED) == 0))
        awi_again_push(c->task, c);
}

/* A wake that came while the strand ran. */
static bool take_wake(aw_cx *c)
{
    if ((c->state & AWI_STRAND_TOKEN) != 0) {
        c->state &= (uint16_t)~AWI_STRAND_TOKEN;
        /* Wakes do not add up: one that also came since is the same. */
        if (c->group == NULL)
            awi_state_take_woken(c->task);
        else
            awi_slot_take_woken(c);
        return true;
    }
    return c->group == NULL ? awi_state_take_woken(c->task) : awi_slot_take_woken(c);
}

void awi_leaf_park(aw_cx *c, void *fp)
{
    aw_frame *f = fp;
    if (awi_leaf_cancelled(c, fp) || take_wake(c))
        return;
    awi_leaf_suspend(c, f, &awi_park_site);
}
