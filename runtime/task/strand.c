/* SPDX-License-Identifier: MIT */
/*
 * How does a chain of awaits go on? The trampoline.
 *
 *     leaf --parent--> frame --parent--> frame --parent--> NULL (end of the strand)
 *
 * The event's arrival resumes the leaf, then, as frames finish, their parents, in a loop: the C
 * stack does not grow with the depth of the chain, nor does the cost of a resume. When a branch of
 * a group ends and the group with it, the same loop goes on with the strand that awaits the group.
 *
 * A cancel walks the same chain. The leaf goes first: a leaf with AW_SITE_CLEAN is told and may go
 * on waiting; a group passes the cancel on to its branches and waits for them. Then, outwards, only
 * frames suspended at sites with AW_SITE_CLEAN are resumed, with AW_CANCEL, to run their clean-ups.
 * These may suspend; c->unwind remembers whose clean-ups run, and when that frame finishes, the
 * walk goes on at its parent. c->cancel:
 *
 *     NONE --ask--> ASKED --leaf or group has let go--> UNWINDING --end--> DONE
 *
 * While ASKED every leaf and form is a cancel point on entry; while UNWINDING none is.
 */
#include "runtime/task/awi_core.h"

_Thread_local struct awi_self awi_self;

const aw_site awi_cancelled_site = AWI_LEAF_SITE("cancelled", NULL, 0);
const aw_site awi_yield_site = AWI_LEAF_SITE("aw_yield", NULL, 0);
const aw_site awi_park_site = AWI_LEAF_SITE("aw_park", NULL, 0);

/* ---- asking -------------------------------------------------------------------------------- */

void awi_strand_ask(aw_cx *c)
{
    if (c->cancel != AW_CANCEL_NONE)
        return;
    c->cancel = AW_CANCEL_ASKED;
    c->error = -ECANCELED;
}

void awi_strand_ask_running(aw_cx *c)
{
    for (; c != NULL; c = c->group != NULL ? c->group->cx : NULL)
        awi_strand_ask(c);
}

void awi_strand_todo(aw_cx *c)
{
    if ((c->state & AWI_STRAND_LISTED) != 0)
        return;
    c->state |= AWI_STRAND_LISTED;
    awi_strands_push(&c->task->host->todo, c);
}

void awi_strand_fail(aw_cx *c, void *fp, int error)
{
    aw_frame *f = fp;
    if (c->cancel == AW_CANCEL_NONE) {
        c->cancel = AW_CANCEL_ASKED;
        c->error = error;
    }
    awi_leaf_suspend(c, f, &awi_cancelled_site);
}

/* ---- the cancel walk ----------------------------------------------------------------------- */

/* Makes the leaf of a strand that was asked let go. False: it goes on waiting, and has been told.
 */
static bool leaf_lets_go(aw_cx *c)
{
    aw_frame *leaf = c->leaf;
    const aw_site *site = leaf->at;
    if ((site->flags & AW_SITE_GROUP) != 0) {
        c->state |= AWI_STRAND_TOLD;
        awi_group_cancel((aw_group *)(void *)leaf);
        return false;
    } else if ((site->flags & AW_SITE_CLEAN) != 0) {
        c->state |= AWI_STRAND_TOLD;
        c->pending = NULL;
        site->resume(c, leaf, site->state | AW_CANCEL);
        if (c->pending != NULL)
            return false;
    }
    c->state &= (uint16_t) ~(AWI_STRAND_TOLD | AWI_STRAND_READY);
    c->cancel = AW_CANCEL_UNWINDING;
    return true;
}

/*
 * After a call or resume of step->frame left c->pending set. False: the strand waits. True: it goes
 * on as *step says.
 */
static bool goes_on(aw_cx *c, struct awi_step *step)
{
    while (c->pending != NULL) {
        if (c->now) {
            step->frame = c->leaf;
            c->now = 0;
            c->pending = NULL;
            step->frame->at->resume(c, step->frame, AW_RESTART);
            continue;
        }
        if (c->cancel == AW_CANCEL_ASKED) {
            if ((c->state & AWI_STRAND_TOLD) != 0 || !leaf_lets_go(c))
                return false;
        } else if (c->leaf->at != &awi_cancelled_site) {
            return false;
        } /* else a clean-up has found no memory for an await */
        step->frame = c->leaf->parent;
        step->leaving = true;
        return true;
    }
    step->leaving = step->frame == c->unwind;
    step->frame = step->frame->parent;
    return true;
}

/* ---- the trampoline ------------------------------------------------------------------------ */

static bool unlist(struct awi_strand_list *list, const aw_cx *c)
{
    aw_cx *before = NULL;
    for (aw_cx *at = list->head; at != NULL; before = at, at = at->next) {
        if (at != c)
            continue;
        if (before == NULL)
            list->head = c->next;
        else
            before->next = c->next;
        if (list->tail == c)
            list->tail = before;
        return true;
    }
    return false;
}

/* Takes a strand off whatever list it is on. */
static void forget_listed(aw_cx *c)
{
    aw_task *t = c->task;
    if (unlist(&t->host->todo, c))
        return;
    struct awi_strand_list again = awi_again_take(t);
    unlist(&again, c);
    for (aw_cx *next; again.head != NULL; again.head = next) {
        next = again.head->next;
        awi_again_push(t, again.head);
    }
}

/* The strand has ended. Returns the one that goes on because of it, or NULL. */
static aw_cx *strand_ended(aw_cx *c, struct awi_step *step)
{
    bool leaving = step->leaving;
    c->leaf = NULL;
    c->pending = NULL;
    /* Listed to be cancelled, when its group's end let it go on: its memory may be reused. */
    if (AW_UNLIKELY((c->state & AWI_STRAND_LISTED) != 0))
        forget_listed(c);
    if (leaving)
        c->cancel = AW_CANCEL_DONE;
    if (c->group != NULL)
        return awi_group_branch_ended(c, leaving, step);
    c->task->rc = leaving ? c->error : 0;
    c->task->is_over = 1;
    return NULL;
}

void awi_strand_run(aw_cx *c, struct awi_step step)
{
    for (;;) {
        aw_frame *f = step.frame;
        if (f == NULL) {
            c = strand_ended(c, &step);
            if (c == NULL)
                return;
            continue;
        }
        const aw_site *site = f->at;
        unsigned state = site->state;
        if (AW_UNLIKELY(step.leaving) && (site->flags & AW_SITE_CHUNK) == 0) {
            if ((site->flags & AW_SITE_CLEAN) == 0) {
                if ((site->flags & AW_SITE_TRACED) != 0)
                    awi_trace_dropped(c, f);
                step.frame = f->parent;
                continue;
            }
            c->unwind = f;
            state |= AW_CANCEL;
        }
        c->pending = NULL;
        site->resume(c, f, state);
        if (AW_LIKELY(c->pending == NULL)) {
            if ((site->flags & AW_SITE_CHUNK) == 0)
                step.leaving = f == c->unwind;
            step.frame = f->parent;
        } else if (!goes_on(c, &step)) {
            return;
        }
    }
}

void awi_strand_settle(aw_cx *c)
{
    struct awi_step step = {NULL, false};
    if (goes_on(c, &step))
        awi_strand_run(c, step);
}

void awi_strand_start(aw_task *t)
{
    aw_cx *c = &t->cx;
    awi_self.strand = c;
    c->stk = t->host->stk;
    char *room = t->room_at != 0 ? (char *)t + t->room_at : (char *)(c->chunk + 1);
    t->site->start(c, room, (char *)t + t->args_at);
    if (c->pending == NULL) {
        strand_ended(c, &(struct awi_step){NULL, false});
        return;
    }
    c->pending->parent = NULL; /* the root's: lowered code links frames to their callees only */
    if (AW_UNLIKELY(c->now != 0 || c->cancel == AW_CANCEL_ASKED))
        awi_strand_settle(c);
}
