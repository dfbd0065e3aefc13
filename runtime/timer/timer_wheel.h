/* SPDX-License-Identifier: MIT */
/*
 * Which timer expires next, and which have expired? A hierarchical timing wheel (Varghese and
 * Lauck, 1987) over all 64 bits of a time in nanoseconds. Eleven levels of 64 slots, six bits of
 * the time each:
 *
 *     level         0        1         2         3        4        5       ...    10
 *     slot width    1 ns     64 ns     4.1 us    262 us   16.8 ms  1.07 s         36.5 years
 *     range         64 ns    4.1 us    262 us    16.8 ms  1.07 s   68.7 s         584 years
 *
 *     at_ns    | lvl 10 | lvl 9 | ... | lvl 2 | lvl 1 | lvl 0 |     bits 60..65, ..., 0..5
 *
 * A timer lies on the level of the highest six bits in which its time differs from the wheel's
 * own time `elapsed_ns`, in the slot which those bits name. So:
 *   - every timer of level k shares the bits above level k with `elapsed_ns`, and its slot is
 *     beyond the wheel's own one; the first timer is always in the lowest level in use, in its
 *     lowest slot in use: two searches for a bit, no wrap-around;
 *   - when the time reaches a slot of level k > 0, its timers move to lower levels (a cascade). A
 *     timer moves at most ten times in its life; arming and cancelling are O(1);
 *   - timers of the same nanosecond are always in the same slot, in the order of arming.
 * Timers expire in the order of their times, those of one nanosecond in the order of arming, and
 * never early. A slot remembers a lower bound of its timers' times, so that the next expiry is
 * exact (early by what was cancelled at most) although the slots are wide.
 *
 * Memory is the caller's: a timer is a part of what waits. Nothing here locks or reads a clock; a
 * wheel belongs to one executor.
 */
#ifndef AWAITC_RUNTIME_TIMER_WHEEL_H
#define AWAITC_RUNTIME_TIMER_WHEEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AWI_NEVER UINT64_MAX /* a time that does not come */

enum { AWI_WHEEL_BITS = 6, AWI_WHEEL_SLOTS = 1 << AWI_WHEEL_BITS, AWI_WHEEL_LEVELS = 11 };

/* A time in a frame, which is aligned for pointers only: less than for 64 bits on some machines. */
typedef uint64_t awi_time_ns __attribute__((__aligned__(__alignof__(void *))));

struct awi_timer {
    struct awi_timer *next, *prev;         /* the slot's ring; NULL while not armed */
    awi_time_ns at_ns;                     /* set by the caller before arming */
    void (*fire)(struct awi_timer *timer); /* set by the caller: called once, not armed any more */
    uint16_t place;                        /* level * AWI_WHEEL_SLOTS + slot, while armed */
};

struct awi_wheel_slot {
    struct awi_timer *first; /* a ring, in the order of arming */
    uint64_t bound_ns;       /* no timer of the slot is earlier; meaningless in an empty slot */
};

typedef struct awi_wheel {
    uint64_t elapsed_ns;                   /* the wheel's own time: all before it has expired */
    size_t count;                          /* armed timers */
    uint32_t levels_used;                  /* bit k: level k has timers */
    uint64_t slots_used[AWI_WHEEL_LEVELS]; /* bit s: slot s has timers */
    struct awi_wheel_slot slots[AWI_WHEEL_LEVELS * AWI_WHEEL_SLOTS];
} awi_wheel;

/* An empty wheel (11 KiB, no memory behind it) whose time is `now_ns`. */
void awi_wheel_init(awi_wheel *w, uint64_t now_ns);

/* Arms `timer` (at_ns and fire set, not armed). A time that has passed expires at the next
 * awi_wheel_advance. AWI_NEVER is a time like any other. */
void awi_wheel_arm(awi_wheel *w, struct awi_timer *timer);

/* Disarms. Returns false, and does nothing, if it is not armed (it has fired). */
bool awi_wheel_cancel(awi_wheel *w, struct awi_timer *timer);

static inline bool awi_timer_armed(const struct awi_timer *timer)
{
    return timer->next != NULL;
}

/* When must awi_wheel_advance be called next? Never later than the first timer's time; AWI_NEVER if
 * there is none. O(1). */
uint64_t awi_wheel_next_ns(const awi_wheel *w);

/* Takes the first timer with at_ns <= now_ns off the wheel; NULL if there is none; then the
 * wheel's time is `now_ns`. */
struct awi_timer *awi_wheel_pop(awi_wheel *w, uint64_t now_ns);

/* Pops and fires all that is due at `now_ns`, what `fire` arms on the way included. Returns how
 * many. */
size_t awi_wheel_advance(awi_wheel *w, uint64_t now_ns);

#endif
