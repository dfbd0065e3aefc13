/* SPDX-License-Identifier: MIT */
/*
 * The timing wheel of timer_wheel.h. All of the arithmetic is in `place_of`, `slot_start` and
 * `first_slot`; what moves timers is `cascade`.
 *
 * Invariants (awi_wheel_init establishes them, tests/runtime/test_timer_wheel.c checks them):
 *   - an armed timer with at_ns > elapsed_ns is at place_of(elapsed_ns, at_ns);
 *   - one with at_ns <= elapsed_ns is at place_of(elapsed_ns, elapsed_ns) as of when it was armed:
 *     on level 0, in the slot of elapsed_ns;
 *   - a slot's bit is set exactly if the slot has timers, a level's bit exactly if a slot has.
 */
#include "runtime/timer/timer_wheel.h"

#include <assert.h>

static unsigned highest_bit(uint64_t x)
{
    return 63u - (unsigned)__builtin_clzll(x);
}

static unsigned lowest_bit(uint64_t x)
{
    return (unsigned)__builtin_ctzll(x);
}

/* Where a timer of the time `at_ns` belongs while the wheel's time is `elapsed_ns` <= at_ns. */
static unsigned place_of(uint64_t elapsed_ns, uint64_t at_ns)
{
    /* The low six bits do not tell levels apart; setting them makes level 0 out of no difference.
     */
    uint64_t differs = (elapsed_ns ^ at_ns) | (AWI_WHEEL_SLOTS - 1);
    unsigned level = highest_bit(differs) / AWI_WHEEL_BITS;
    unsigned slot = (unsigned)(at_ns >> (level * AWI_WHEEL_BITS)) & (AWI_WHEEL_SLOTS - 1);
    return level * AWI_WHEEL_SLOTS + slot;
}

/* The time at which the slot in use at `place` begins. */
static uint64_t slot_start(const awi_wheel *w, unsigned place)
{
    unsigned shift = place / AWI_WHEEL_SLOTS * AWI_WHEEL_BITS;
    uint64_t slot = place % AWI_WHEEL_SLOTS;
    unsigned above = shift + AWI_WHEEL_BITS;
    uint64_t prefix = above < 64 ? w->elapsed_ns >> above << above : 0;
    return prefix | slot << shift;
}

/* The slot with the first timers; the wheel is not empty. */
static unsigned first_slot(const awi_wheel *w)
{
    unsigned level = lowest_bit(w->levels_used);
    return level * AWI_WHEEL_SLOTS + lowest_bit(w->slots_used[level]);
}

static void mark_used(awi_wheel *w, unsigned place)
{
    w->slots_used[place / AWI_WHEEL_SLOTS] |= UINT64_C(1) << place % AWI_WHEEL_SLOTS;
    w->levels_used |= UINT32_C(1) << place / AWI_WHEEL_SLOTS;
}

static void mark_unused(awi_wheel *w, unsigned place)
{
    unsigned level = place / AWI_WHEEL_SLOTS;
    w->slots_used[level] &= ~(UINT64_C(1) << place % AWI_WHEEL_SLOTS);
    if (w->slots_used[level] == 0)
        w->levels_used &= ~(UINT32_C(1) << level);
}

static void slot_append(awi_wheel *w, unsigned place, struct awi_timer *timer)
{
    struct awi_wheel_slot *slot = &w->slots[place];
    timer->place = (uint16_t)place;
    if (slot->first == NULL) {
        slot->first = timer->next = timer->prev = timer;
        slot->bound_ns = timer->at_ns;
        mark_used(w, place);
        return;
    }
    timer->next = slot->first;
    timer->prev = slot->first->prev;
    timer->prev->next = timer;
    timer->next->prev = timer;
    if (timer->at_ns < slot->bound_ns)
        slot->bound_ns = timer->at_ns;
}

static void slot_remove(awi_wheel *w, struct awi_timer *timer)
{
    struct awi_wheel_slot *slot = &w->slots[timer->place];
    if (timer->next == timer) {
        slot->first = NULL;
        mark_unused(w, timer->place);
    } else {
        timer->next->prev = timer->prev;
        timer->prev->next = timer->next;
        if (slot->first == timer)
            slot->first = timer->next;
    }
    timer->next = timer->prev = NULL;
}

static void place_timer(awi_wheel *w, struct awi_timer *timer)
{
    uint64_t at_ns = timer->at_ns > w->elapsed_ns ? timer->at_ns : w->elapsed_ns;
    slot_append(w, place_of(w->elapsed_ns, at_ns), timer);
}

/* The wheel's time has reached the slot `place` of a level above 0: its timers move down. */
static void cascade(awi_wheel *w, unsigned place)
{
    struct awi_timer *timer = w->slots[place].first;
    struct awi_timer *last = timer->prev;
    w->slots[place].first = NULL;
    mark_unused(w, place);
    last->next = NULL;
    while (timer != NULL) {
        struct awi_timer *next = timer->next;
        place_timer(w, timer);
        timer = next;
    }
}

void awi_wheel_init(awi_wheel *w, uint64_t now_ns)
{
    *w = (awi_wheel){.elapsed_ns = now_ns};
}

void awi_wheel_arm(awi_wheel *w, struct awi_timer *timer)
{
    place_timer(w, timer);
    w->count++;
}

bool awi_wheel_cancel(awi_wheel *w, struct awi_timer *timer)
{
    if (!awi_timer_armed(timer))
        return false;
    slot_remove(w, timer);
    w->count--;
    return true;
}

uint64_t awi_wheel_next_ns(const awi_wheel *w)
{
    if (w->levels_used == 0)
        return AWI_NEVER;
    return w->slots[first_slot(w)].bound_ns;
}

static struct awi_timer *take(awi_wheel *w, struct awi_timer *timer)
{
    if (timer->at_ns > w->elapsed_ns)
        w->elapsed_ns = timer->at_ns;
    slot_remove(w, timer);
    w->count--;
    return timer;
}

struct awi_timer *awi_wheel_pop(awi_wheel *w, uint64_t now_ns)
{
    while (w->levels_used != 0) {
        unsigned place = first_slot(w);
        struct awi_timer *first = w->slots[place].first;
        if (place < AWI_WHEEL_SLOTS) {
            if (first->at_ns <= now_ns)
                return take(w, first);
            break;
        }
        uint64_t start_ns = slot_start(w, place);
        if (start_ns > now_ns)
            break;
        if (first->next == first && first->at_ns <= now_ns)
            return take(w, first); /* alone in its slot: nothing to sort */
        assert(start_ns > w->elapsed_ns);
        w->elapsed_ns = start_ns;
        cascade(w, place);
    }
    if (now_ns > w->elapsed_ns) /* no slot in use begins before now_ns: all stay where they are */
        w->elapsed_ns = now_ns;
    return NULL;
}

size_t awi_wheel_advance(awi_wheel *w, uint64_t now_ns)
{
    size_t fired = 0;
    for (struct awi_timer *timer; (timer = awi_wheel_pop(w, now_ns)) != NULL; fired++)
        timer->fire(timer);
    return fired;
}
