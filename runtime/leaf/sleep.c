/* SPDX-License-Identifier: MIT */
/*
 * aw_sleep_ns, _us, _ms and aw_sleep_until: a timer in the leaf's frame, on the wheel of the
 * executor that runs the task. A cancelled sleep takes its timer off the wheel.
 */
#include "runtime/sched/awi_sched.h"
#include "runtime/task/awi_task.h"
#include "runtime/task/leaf_need.h"
#include "runtime/task/leaf_room.h"

struct sleep_frame {
    aw_frame head;
    struct awi_wake_target target;
    struct awi_timer timer;
};

AWI_LEAF_FITS(struct sleep_frame, aw_sleep_ns);
AWI_LEAF_FITS(struct sleep_frame, aw_sleep_us);
AWI_LEAF_FITS(struct sleep_frame, aw_sleep_ms);
AWI_LEAF_FITS(struct sleep_frame, aw_sleep_until);
_Static_assert(sizeof(struct sleep_frame) <= AW_SLEEP_NEED, "abi.h: AW_SLEEP_NEED");

static void sleep_resume(aw_cx *c, aw_frame *frame, unsigned state)
{
    struct sleep_frame *f = (struct sleep_frame *)frame;
    (void)c;
    /* Not armed any more: it has fired, and all is said. */
    if (state & AW_CANCEL)
        awi_wheel_cancel(awi_executor_wheel(awi_executor_current()), &f->timer);
}

static const aw_site sleep_ns_site = AWI_LEAF_SITE("aw_sleep_ns", sleep_resume, AW_SITE_CLEAN);
static const aw_site sleep_us_site = AWI_LEAF_SITE("aw_sleep_us", sleep_resume, AW_SITE_CLEAN);
static const aw_site sleep_ms_site = AWI_LEAF_SITE("aw_sleep_ms", sleep_resume, AW_SITE_CLEAN);
static const aw_site sleep_until_site =
    AWI_LEAF_SITE("aw_sleep_until", sleep_resume, AW_SITE_CLEAN);

static void sleep_fire(struct awi_timer *timer)
{
    struct sleep_frame *f =
        (struct sleep_frame *)(void *)((char *)timer - offsetof(struct sleep_frame, timer));
    awi_leaf_complete(&f->target);
}

static void sleep_start(aw_cx *c, void *fp, uint64_t at_ns, const aw_site *site)
{
    struct awi_leaf_room room;
    struct sleep_frame *f = awi_leaf_room_begin(c, fp, sizeof *f, &room);
    if (f == NULL)
        return;
    awi_leaf_target(c, &f->target);
    f->timer.at_ns = at_ns;
    f->timer.fire = sleep_fire;
    awi_wheel_arm(awi_executor_wheel(awi_executor_current()), &f->timer);
    awi_leaf_suspend(c, &f->head, site);
    awi_leaf_room_end(c, &room);
}

/* `count` units of `unit_ns` from now. What does not fit in 64 bits is never. */
static void sleep_for(aw_cx *c, void *fp, uint64_t count, uint64_t unit_ns, const aw_site *site)
{
    uint64_t ns, at_ns;
    if (awi_leaf_cancelled(c, fp) || count == 0)
        return;
    if (__builtin_mul_overflow(count, unit_ns, &ns) ||
        __builtin_add_overflow(awi_now_ns(), ns, &at_ns))
        at_ns = AWI_NEVER;
    sleep_start(c, fp, at_ns, site);
}

void awi_leaf_sleep_ns(aw_cx *c, void *fp, uint64_t ns) AWI_LEAF(aw_sleep_ns);
void awi_leaf_sleep_us(aw_cx *c, void *fp, uint64_t us) AWI_LEAF(aw_sleep_us);
void awi_leaf_sleep_ms(aw_cx *c, void *fp, uint64_t ms) AWI_LEAF(aw_sleep_ms);
void awi_leaf_sleep_until(aw_cx *c, void *fp, uint64_t at_ns) AWI_LEAF(aw_sleep_until);

void awi_leaf_sleep_ns(aw_cx *c, void *fp, uint64_t ns)
{
    sleep_for(c, fp, ns, 1, &sleep_ns_site);
}

void awi_leaf_sleep_us(aw_cx *c, void *fp, uint64_t us)
{
    sleep_for(c, fp, us, 1000, &sleep_us_site);
}

void awi_leaf_sleep_ms(aw_cx *c, void *fp, uint64_t ms)
{
    sleep_for(c, fp, ms, 1000000, &sleep_ms_site);
}

void awi_leaf_sleep_until(aw_cx *c, void *fp, uint64_t at_ns)
{
    if (awi_leaf_cancelled(c, fp) || at_ns <= awi_now_ns())
        return;
    sleep_start(c, fp, at_ns, &sleep_until_site);
}
