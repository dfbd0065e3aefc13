/* SPDX-License-Identifier: MIT */
/*
 * In which state is a task? One atomic word; this file is the only one that changes it.
 *
 *     bits 63..32   generation: changes when the memory is given back
 *     bits 31..0    AWI_TASK_...
 *
 *                      event                    begin                   end, no event
 *     idle ----------------------> QUEUED ----------------> RUNNING -----------------> idle
 *       ^                             ^                        |
 *       |                             +--- end, events/again --+
 *       |                                                      | finish
 *     reset  <---- release (handle gone and DONE) <---------- DONE
 *
 * Who sets QUEUED owns the task's `next` and must put it into a queue, exactly once. Who sets
 * RUNNING owns the strands, the frames and everything else of the task until it clears it.
 * begin acquires, end and finish release: what one run wrote, the next one sees, on whatever
 * thread. An event releases what its sender wrote before.
 */
#ifndef AWAITC_RUNTIME_TASK_STATE_H
#define AWAITC_RUNTIME_TASK_STATE_H

#include "runtime/task/awi_core.h"

enum {
    AWI_TASK_QUEUED = 1,
    AWI_TASK_RUNNING = 2,
    AWI_TASK_DONE = 4,
    AWI_TASK_HANDLE = 8,  /* somebody may still join, detach or cancel */
    AWI_TASK_JOINED = 16, /* task->joiner waits */
    /* events, taken by begin */
    AWI_TASK_NEW = 32,      /* has never run */
    AWI_TASK_WOKEN = 64,    /* own strand: aw_wake */
    AWI_TASK_READY = 128,   /* own strand: its leaf's event */
    AWI_TASK_ARRIVED = 256, /* a branch has news */
    AWI_TASK_ASKED = 512    /* to be cancelled */
};

#define AWI_TASK_EVENTS                                                                            \
    ((uint64_t)(AWI_TASK_NEW | AWI_TASK_WOKEN | AWI_TASK_READY | AWI_TASK_ARRIVED | AWI_TASK_ASKED))

static inline uint32_t awi_state_generation(const aw_task *t)
{
    return (uint32_t)(atomic_load_explicit(&t->word, memory_order_relaxed) >> 32);
}

/* True once the result can be read; acquires what the task wrote. */
static inline bool awi_state_is_done(const aw_task *t)
{
    return (atomic_load_explicit(&t->word, memory_order_acquire) & AWI_TASK_DONE) != 0;
}

/* Starts a task's life: queued, new. Nobody else has the task yet. */
void awi_state_reset(aw_task *t, bool has_handle);
/* Ends it: wakers of this life mean nothing any more. */
void awi_state_retire(aw_task *t);

/* Reports an event. True: the caller must queue the task. */
bool awi_state_event(aw_task *t, uint32_t event);
/* The same, if the generation still is this one. */
bool awi_state_event_of(aw_task *t, uint32_t generation, uint32_t event);
/* The running task takes a wake that has come already; false if none has. */
bool awi_state_take_woken(aw_task *t);

/* RUNNING -> DONE. Returns the bits from before. */
uint32_t awi_state_finish(aw_task *t);
/* The joiner is set. False: the task is done. */
bool awi_state_join(aw_task *t);
/* The handle is gone. True: the task is done, and its memory the caller's. */
bool awi_state_release(aw_task *t);

/* QUEUED -> RUNNING. Returns the events, which are cleared. */
static inline uint32_t awi_state_begin(aw_task *t)
{
    /* Takes QUEUED away and adds RUNNING; other bits may change meanwhile. */
    uint64_t old = atomic_fetch_add_explicit(&t->word, AWI_TASK_RUNNING - AWI_TASK_QUEUED,
                                             memory_order_acquire);
    if (AW_LIKELY((old & AWI_TASK_EVENTS) == 0))
        return 0;
    old = atomic_fetch_and_explicit(&t->word, ~AWI_TASK_EVENTS, memory_order_acquire);
    return (uint32_t)(old & AWI_TASK_EVENTS);
}

/* RUNNING -> QUEUED: there is more to do. The caller must queue it. */
static inline void awi_state_again(aw_task *t)
{
    atomic_fetch_sub_explicit(&t->word, AWI_TASK_RUNNING - AWI_TASK_QUEUED, memory_order_release);
}

/* RUNNING -> idle, or QUEUED if there were events. True: the caller must queue it. */
static inline bool awi_state_end(aw_task *t)
{
    uint64_t old = atomic_load_explicit(&t->word, memory_order_relaxed);
    uint64_t want;
    do {
        want = old & ~(uint64_t)AWI_TASK_RUNNING;
        if ((old & AWI_TASK_EVENTS) != 0)
            want |= AWI_TASK_QUEUED;
    } while (!atomic_compare_exchange_weak_explicit(&t->word, &old, want, memory_order_acq_rel,
                                                    memory_order_relaxed));
    return (want & AWI_TASK_QUEUED) != 0;
}

#endif
