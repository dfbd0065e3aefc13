/* SPDX-License-Identifier: MIT */
/*
 * aw_scope: a set of tasks that none of them outlives.
 *
 *     scope.children --> child <-> child <-> child        behind the header of each child's task
 *     scope.entering --> waiter -> waiter                 frames of aw_scope_enter, at the limit
 *     scope.ending   --> waiter -> waiter                 frames of aw_scope_wait and _leave
 *
 * The first negative result of a child (or its cancel for lack of memory) becomes the scope's
 * error: no further child starts, the others are asked to cancel. A scope that is being left is
 * in the same state, with -ECANCELED. All zero is an empty scope without a limit; one that was
 * never initialised looks like that, and leaving it does nothing.
 *
 * All of a scope's tasks run on one executor, so there is no lock.
 */
#include <string.h>

#include "runtime/task/leaf_need.h"
#include "runtime/task/leaf_room.h"
#include "runtime/task/task_state.h"

struct child {
    struct child *prev, *next;
    struct scope *scope;
};

struct waiter {
    aw_frame head;
    struct awi_wake_target target;
    struct waiter *next;
    struct scope *scope;
};
_Static_assert(sizeof(struct waiter) <= AW_SCOPE_NEED, "abi.h announces less");
AWI_LEAF_FITS(struct waiter, aw_scope_wait);

/* What is behind aw_scope's fields. */
struct scope {
    size_t limit, count;
    int64_t error;
    struct child *children;
    struct waiter *entering, *ending;
};
_Static_assert(sizeof(struct scope) <= sizeof(struct aw_scope), "plain.h announces less");

static struct scope *scope_of(struct aw_scope *s)
{
    return (struct scope *)(void *)s;
}

static aw_task *task_of(struct child *child)
{
    return (aw_task *)(void *)child - 1;
}

static bool is_full(const struct scope *s, size_t more)
{
    return s->error == 0 && s->limit != 0 && s->count + more >= s->limit;
}

/* There may be a place: lets the first who waits for one look. */
static void offer_place(struct scope *s, size_t taken)
{
    if (s->entering != NULL && !is_full(s, taken))
        awi_leaf_complete(&s->entering->target);
}

/* ---- children ------------------------------------------------------------------------------ */

/* The scope takes no more children; those that run are to leave. */
static void fail_scope(struct scope *s, int64_t error)
{
    if (s->error != 0)
        return;
    s->error = error;
    for (struct child *child = s->children; child != NULL; child = child->next)
        aw_cancel(task_of(child));
    for (struct waiter *w = s->entering; w != NULL; w = w->next)
        awi_leaf_complete(&w->target);
}

static int64_t child_result(const aw_task *t)
{
    if (t->rc != 0)
        return t->rc == -ECANCELED ? 0 : t->rc;
    if ((t->site->flags & AW_SPAWN_SIGNED_RESULT) == 0)
        return 0;
    switch (t->site->result_bytes) {
    case 1:
        return *(const int8_t *)t->cx.ret;
    case 2:
        return *(const int16_t *)t->cx.ret;
    case 4:
        return *(const int32_t *)t->cx.ret;
    case 8:
        return *(const int64_t *)t->cx.ret;
    default:
        return 0;
    }
}

static void child_ended(aw_task *t)
{
    struct child *child = (struct child *)(void *)(t + 1);
    struct scope *s = child->scope;
    if (child->next != NULL)
        child->next->prev = child->prev;
    if (child->prev != NULL)
        child->prev->next = child->next;
    else
        s->children = child->next;
    s->count--;
    int64_t result = child_result(t);
    if (result < 0)
        fail_scope(s, result);
    else
        offer_place(s, 0);
    if (s->count == 0) {
        for (struct waiter *w = s->ending; w != NULL; w = w->next)
            awi_leaf_complete(&w->target);
    }
}

AWI_PUBLIC int aw_scope_start(struct aw_scope *scope, const aw_spawn_site *site, const void *args)
{
    struct scope *s = scope_of(scope);
    struct awi_spawn how = {.host = awi_self.host,
                            .site = site,
                            .args = args,
                            .extra_bytes = sizeof(struct child),
                            .ended = child_ended,
                            .is_counted = true};
    int error;
    if (how.host == NULL)
        return -ENODEV;
    aw_task *t = awi_task_new(&how, &error);
    if (t == NULL) {
        offer_place(s, 0); /* the one that this call was given */
        return error;
    }
    struct child *child = (struct child *)(void *)(t + 1);
    child->scope = s;
    child->prev = NULL;
    child->next = s->children;
    if (s->children != NULL)
        s->children->prev = child;
    s->children = child;
    s->count++;
    awi_task_launch(t);
    return 0;
}

/* ---- waiting ------------------------------------------------------------------------------- */

static void waiter_push(struct waiter **list, struct waiter *w)
{
    while (*list != NULL)
        list = &(*list)->next;
    w->next = NULL;
    *list = w;
}

static void waiter_remove(struct waiter **list, const struct waiter *w)
{
    while (*list != NULL && *list != w)
        list = &(*list)->next;
    if (*list != NULL)
        *list = w->next;
}

/* Suspends in `list`. False: no memory for a frame; c->pending is set. */
static bool wait_in(aw_cx *c, void *fp, struct scope *s, struct waiter **list, const aw_site *site)
{
    struct awi_leaf_room room;
    struct waiter *w = awi_leaf_room_begin(c, fp, sizeof *w, &room);
    if (w == NULL)
        return false;
    awi_leaf_target(c, &w->target);
    w->scope = s;
    waiter_push(list, w);
    awi_leaf_suspend(c, &w->head, site);
    awi_leaf_room_end(c, &room);
    return true;
}

static void leave_with(aw_cx *c, aw_frame *frame, int rc)
{
    int *out = AW_RESULT(frame, int);
    *out = rc;
    c->ret = out;
}

static int error_of(const struct scope *s)
{
    return s->error < INT32_MIN ? INT32_MIN : (int)s->error;
}

static void enter_resume(aw_cx *c, aw_frame *frame, unsigned state)
{
    struct waiter *w = (struct waiter *)(void *)frame;
    struct scope *s = w->scope;
    bool cancelled = (state & AW_CANCEL) != 0;
    if (!cancelled && is_full(s, 0)) {
        awi_leaf_wait_on(c, frame);
        return;
    }
    waiter_remove(&s->entering, w);
    offer_place(s, cancelled ? 0 : 1);
    if (!cancelled)
        leave_with(c, frame, error_of(s));
}

static const aw_site enter_site = AWI_LEAF_SITE("aw_scope_spawn", enter_resume, AW_SITE_CLEAN);

AWI_PUBLIC int aw_scope_enter(aw_cx *c, void *fp, struct aw_scope *scope)
{
    struct scope *s = scope_of(scope);
    if (awi_leaf_cancelled(c, fp))
        return 0;
    if (is_full(s, 0) || (s->entering != NULL && s->error == 0)) {
        wait_in(c, fp, s, &s->entering, &enter_site);
        return 0;
    }
    return error_of(s);
}

/* A cancel reaches the children, and lands when they have left. */
static void wait_resume(aw_cx *c, aw_frame *frame, unsigned state)
{
    struct waiter *w = (struct waiter *)(void *)frame;
    struct scope *s = w->scope;
    if ((state & AW_CANCEL) != 0)
        fail_scope(s, -ECANCELED);
    if (s->count != 0 || (state & AW_CANCEL) != 0) {
        awi_leaf_wait_on(c, frame);
        return;
    }
    waiter_remove(&s->ending, w);
    if (c->cancel == AW_CANCEL_ASKED)
        awi_leaf_land_cancel(c, frame);
    else
        leave_with(c, frame, error_of(s));
}

static const aw_site wait_site = AWI_LEAF_SITE("aw_scope_wait", wait_resume, AW_SITE_CLEAN);

int awi_leaf_scope_wait(aw_cx *c, void *fp, struct aw_scope *scope) AWI_LEAF(aw_scope_wait);

int awi_leaf_scope_wait(aw_cx *c, void *fp, struct aw_scope *scope)
{
    struct scope *s = scope_of(scope);
    bool was_asked = c->cancel == AW_CANCEL_ASKED;
    if (s->count == 0)
        return awi_leaf_cancelled(c, fp) ? 0 : error_of(s);
    if (was_asked)
        fail_scope(s, -ECANCELED);
    if (wait_in(c, fp, s, &s->ending, &wait_site) && was_asked)
        c->state |= AWI_STRAND_TOLD;
    return 0;
}

/* ---- leaving ------------------------------------------------------------------------------- */

static void forget(struct scope *s)
{
    memset(s, 0, sizeof *s);
}

/* Never cancelled: a cancel waits for the next await. */
static void leave_resume(aw_cx *c, aw_frame *frame, unsigned state)
{
    struct waiter *w = (struct waiter *)(void *)frame;
    if (w->scope->count != 0 || (state & AW_CANCEL) != 0) {
        awi_leaf_wait_on(c, frame);
        return;
    }
    forget(w->scope);
}

static const aw_site leave_site = AWI_LEAF_SITE("aw_scope", leave_resume, AW_SITE_CLEAN);

AWI_PUBLIC void aw_scope_leave(aw_cx *c, void *fp, struct aw_scope *scope)
{
    struct scope *s = scope_of(scope);
    if (s->count == 0) {
        forget(s);
        return;
    }
    fail_scope(s, -ECANCELED);
    /* Every caller has kept AW_SCOPE_NEED bytes: there is always room. */
    wait_in(c, fp, s, &s->ending, &leave_site);
    if (c->cancel == AW_CANCEL_ASKED)
        c->state |= AWI_STRAND_TOLD;
}

AWI_PUBLIC void aw_scope_init(aw_scope *scope, size_t limit)
{
    struct scope *s = scope_of(scope);
    forget(s);
    s->limit = limit;
}
