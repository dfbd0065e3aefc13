/* SPDX-License-Identifier: MIT */
/*
 * How do several calls run inside one await? Each branch of aw_all, aw_try_all, aw_race and
 * aw_timeout is a strand with a frame stack of its own, behind the group on the parent's:
 *
 *     | parent's frame | aw_group | branch[0..n) | room of 0 | room of 1 | ...
 *
 * The parent's chain ends at the group's head as at a leaf. The last branch to end lets the parent
 * go on. `stop` is set when the outcome makes the other branches superfluous; those that run are
 * asked to cancel, and the group still waits for each of them to leave.
 *
 * The outcome is *decided* if it owes nothing to a cancel: all have returned; or a failure, a
 * winner, an end of the time has been seen. Completion wins over cancel: if the parent was asked to
 * cancel, but the group is decided when its branches have left, the parent gets the outcome, and
 * the cancel lands at its next await. If it is not, the parent leaves; what branches have returned
 * until then still counts, so code with places for it (AW_TAKES_LATE) fetches it as its first act
 * of leaving, and only then the group is released.
 */
#include "runtime/task/task_state.h"

#include <string.h>

static const aw_site group_site = AWI_LEAF_SITE("group", NULL, AW_SITE_GROUP);

static int64_t signed_value(const void *at, int32_t width_bytes)
{
    union {
        int8_t b;
        int16_t h;
        int32_t w;
        int64_t d;
    } v;
    memcpy(&v, at, (size_t)width_bytes);
    switch (width_bytes) {
    case 1:
        return v.b;
    case 2:
        return v.h;
    case 4:
        return v.w;
    default:
        return v.d;
    }
}

static bool is_decided(const aw_group *g)
{
    switch (g->kind) {
    case AW_ALL:
        return g->returned == g->count;
    case AW_TRY_ALL:
        return g->failure != 0 || g->returned == g->count;
    default:
        return g->first >= 0;
    }
}

/* Asks the branches that run. Each that can let go at once does so later in this pass. */
static void cancel_branches(aw_group *g)
{
    for (unsigned i = 0; i < g->count; i++) {
        aw_branch *b = &g->branch[i];
        if (!b->started || b->left)
            continue;
        if (b->cx.cancel == AW_CANCEL_NONE && (b->cx.state & AWI_STRAND_READY) != 0 &&
            (int)i < g->first)
            b->cx.state |= AWI_STRAND_TIE;
        awi_strand_ask(&b->cx);
        awi_strand_todo(&b->cx);
    }
}

void awi_group_cancel(aw_group *g)
{
    g->stop = 1;
    cancel_branches(g);
}

/* Frees what the branches hold. The results are gone. */
static void release(aw_group *g)
{
    for (unsigned i = 0; i < g->count; i++) {
        aw_branch *b = &g->branch[i];
        awi_chunks_drop(&b->cx);
        awi_slot_give(g->cx->task, b->slot);
    }
}

/* The parent leaves: nobody but its own clean-up code asks for the group again. */
static void leave(aw_group *g)
{
    if (!g->takes_late)
        release(g);
}

static void note_failure(aw_group *g, int64_t value)
{
    if (value >= 0 || g->failure != 0)
        return;
    g->failure = value;
    g->stop = 1;
}

static void note_returned(aw_group *g, int i)
{
    aw_branch *b = &g->branch[i];
    b->returned = 1;
    g->returned++;
    if (g->kind == AW_RACE || g->kind == AW_TIMEOUT) {
        if (g->first < 0 || ((b->cx.state & AWI_STRAND_TIE) != 0 && i < g->first))
            g->first = (int16_t)i;
        g->stop = 1;
    } else if (b->suspended && b->width_bytes != 0) { /* else aw_group_value says it */
        note_failure(g, signed_value(b->cx.ret, b->width_bytes));
    }
}

/* All branches have ended: how does the parent go on? True: it leaves. */
static bool parent_leaves(aw_group *g)
{
    aw_cx *p = g->cx;
    p->state &= (uint16_t)~AWI_STRAND_TOLD;
    if (g->no_memory && p->cancel == AW_CANCEL_NONE) {
        p->cancel = AW_CANCEL_ASKED;
        p->error = -ENOMEM;
    }
    return g->no_memory || (p->cancel == AW_CANCEL_ASKED && !is_decided(g));
}

aw_cx *awi_group_branch_ended(aw_cx *c, bool leaving, struct awi_step *step)
{
    aw_group *g = c->group;
    aw_branch *b = (aw_branch *)(void *)c; /* cx is its first member */
    b->left = 1;
    g->left--;
    if (!leaving) {
        note_returned(g, (int)(b - g->branch));
    } else if (c->error == -ENOMEM && !is_decided(g)) {
        g->no_memory = 1;
        g->stop = 1;
    }
    if (!g->waiting)
        return NULL; /* aw_group_started and aw_group_wait see it */
    if (g->left > 0) {
        if (g->stop)
            cancel_branches(g);
        return NULL;
    }
    aw_cx *p = g->cx;
    awi_self.strand = p;
    p->stk = p->task->host->stk;
    step->frame = g->head.parent;
    step->leaving = parent_leaves(g);
    if (step->leaving) {
        p->cancel = AW_CANCEL_UNWINDING;
        leave(g);
    }
    return p;
}

/* ---- called by lowered code ---------------------------------------------------------------- */

/* A group that does not start, cancelled: code that takes late results finds no branches. */
static aw_group *without_branches(aw_group *g)
{
    memset((char *)g + sizeof g->head, 0, sizeof *g - sizeof g->head);
    return NULL;
}

AWI_PUBLIC aw_group *aw_group_begin(aw_cx *c, void *fp, int kind, int count)
{
    aw_group *g = AW_ALIGN_UP(fp, __alignof__(aw_group)); /* where lowered code looks for it */
    if (awi_leaf_cancelled(c, g))
        return without_branches(g);
    if (awi_slots_reserve(c->task, (uint32_t)count) != 0) {
        awi_strand_fail(c, (aw_frame *)g, -ENOMEM);
        return without_branches(g);
    }
    size_t bytes = sizeof *g + (size_t)count * sizeof g->branch[0];
    memset(g, 0, bytes);
    g->cx = c;
    g->kind = (uint8_t)(kind & ~AW_TAKES_LATE);
    g->takes_late = (kind & AW_TAKES_LATE) != 0;
    g->count = (uint16_t)count;
    g->first = -1;
    g->room_end = AW_ALIGN_UP((char *)g + bytes, 16);
    for (int i = 0; i < count; i++)
        g->branch[i].slot = awi_slot_take(c->task, &g->branch[i].cx);
    return g;
}

AWI_PUBLIC aw_cx *aw_group_strand(aw_group *g, int i, size_t room_bytes)
{
    aw_branch *b = &g->branch[i];
    aw_cx *parent = g->cx;
    if (g->stop)
        return NULL;
    if (room_bytes < AW_LEAF_ROOM)
        room_bytes = AW_LEAF_ROOM;
    b->room = g->room_end;
    g->room_end += (room_bytes + 15) & ~(size_t)15;
    b->started = 1;
    g->left++;
    aw_cx *c = &b->cx;
    c->lim = b->room + room_bytes;
    c->stk = parent->stk;
    c->task = parent->task;
    c->group = g;
    if (parent->cancel == AW_CANCEL_ASKED)
        awi_strand_ask(c);
    awi_self.strand = c;
    return c;
}

AWI_PUBLIC void *aw_group_room(aw_group *g, int i)
{
    return g->branch[i].room;
}

AWI_PUBLIC int aw_group_started(aw_group *g, int i)
{
    aw_branch *b = &g->branch[i];
    aw_cx *c = &b->cx;
    if (c->pending == NULL) {
        awi_self.strand = g->cx;
        b->left = 1;
        g->left--;
        note_returned(g, i);
        return 1;
    }
    b->suspended = 1;
    c->pending->parent = NULL; /* the root's: lowered code links frames to their callees only */
    if (c->now && AW_STACK_POINTER() > c->task->host->last_stk)
        awi_strand_settle(c);
    else if (c->now || c->cancel == AW_CANCEL_ASKED)
        awi_strand_todo(c); /* later in this pass, from the bottom of the C stack */
    awi_self.strand = g->cx;
    return 0;
}

AWI_PUBLIC void aw_group_value(aw_group *g, int i, int64_t value)
{
    (void)i;
    note_failure(g, value);
}

AWI_PUBLIC void aw_group_width(aw_group *g, int i, int32_t width_bytes)
{
    aw_branch *b = &g->branch[i];
    b->width_bytes = width_bytes;
    if (b->suspended && b->returned) /* a bounced call has been run on already */
        note_failure(g, signed_value(b->cx.ret, width_bytes));
}

AWI_PUBLIC int aw_group_wait(aw_group *g)
{
    aw_cx *c = g->cx;
    awi_self.strand = c;
    if (g->left > 0) {
        awi_leaf_suspend(c, &g->head, &group_site);
        g->waiting = 1;
        if (g->stop)
            cancel_branches(g);
        return 1;
    }
    if (!parent_leaves(g))
        return 0;
    leave(g);
    awi_leaf_suspend(c, &g->head, &awi_cancelled_site);
    return 1;
}

AWI_PUBLIC int aw_group_late(const aw_group *g, int i)
{
    const aw_branch *b = &g->branch[i];
    return i < g->count && b->suspended && b->returned;
}

AWI_PUBLIC void *aw_group_ret(const aw_group *g, int i)
{
    return g->branch[i].cx.ret;
}

AWI_PUBLIC int64_t aw_group_end(aw_group *g)
{
    int64_t outcome = 0;
    switch (g->kind) {
    case AW_TRY_ALL:
        outcome = g->failure;
        break;
    case AW_RACE:
        outcome = g->first;
        break;
    case AW_TIMEOUT:
        outcome = g->branch[0].returned ? 0 : -ETIMEDOUT;
        break;
    default:
        break;
    }
    release(g);
    return outcome;
}
