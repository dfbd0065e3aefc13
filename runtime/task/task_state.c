/* SPDX-License-Identifier: MIT */
/* The slower transitions of a task's state word; see task_state.h. */
#include "runtime/task/task_state.h"

#define BIT(b) ((uint64_t)(b))

void awi_state_reset(aw_task *t, bool has_handle)
{
    uint64_t old = atomic_load_explicit(&t->word, memory_order_relaxed);
    uint64_t want = (old & ~BIT(UINT32_MAX)) | AWI_TASK_QUEUED | AWI_TASK_NEW;
    if (has_handle)
        want |= AWI_TASK_HANDLE;
    /* Pairs with the acquire in begin. */
    atomic_store_explicit(&t->word, want, memory_order_release);
}

void awi_state_retire(aw_task *t)
{
    uint64_t old = atomic_load_explicit(&t->word, memory_order_relaxed);
    uint64_t generation = ((old >> 32) + 1) & UINT32_MAX;
    atomic_store_explicit(&t->word, generation << 32 | AWI_TASK_DONE, memory_order_release);
}

static bool set_event(aw_task *t, uint64_t old, uint32_t generation, bool check, uint32_t event)
{
    uint64_t want;
    do {
        if ((old & AWI_TASK_DONE) != 0 || (check && old >> 32 != generation))
            return false;
        want = old | event;
        if ((old & (AWI_TASK_QUEUED | AWI_TASK_RUNNING)) == 0)
            want |= AWI_TASK_QUEUED;
        /* Releases what the sender wrote to the next begin; acquires t->host and the like. */
    } while (!atomic_compare_exchange_weak_explicit(&t->word, &old, want, memory_order_acq_rel,
                                                    memory_order_acquire));
    return ((old ^ want) & AWI_TASK_QUEUED) != 0;
}

bool awi_state_event(aw_task *t, uint32_t event)
{
    return set_event(t, atomic_load_explicit(&t->word, memory_order_acquire), 0, false, event);
}

bool awi_state_event_of(aw_task *t, uint32_t generation, uint32_t event)
{
    return set_event(t, atomic_load_explicit(&t->word, memory_order_acquire), generation, true,
                     event);
}

bool awi_state_take_woken(aw_task *t)
{
    if ((atomic_load_explicit(&t->word, memory_order_relaxed) & AWI_TASK_WOKEN) == 0)
        return false;
    atomic_fetch_and_explicit(&t->word, ~BIT(AWI_TASK_WOKEN), memory_order_acquire);
    return true;
}

uint32_t awi_state_finish(aw_task *t)
{
    uint64_t old = atomic_load_explicit(&t->word, memory_order_relaxed);
    uint64_t want;
    do {
        want = (old & ~(AWI_TASK_EVENTS | AWI_TASK_RUNNING)) | AWI_TASK_DONE;
    } while (!atomic_compare_exchange_weak_explicit(&t->word, &old, want, memory_order_acq_rel,
                                                    memory_order_relaxed));
    return (uint32_t)old;
}

bool awi_state_join(aw_task *t)
{
    uint64_t old = atomic_load_explicit(&t->word, memory_order_acquire);
    do {
        if ((old & AWI_TASK_DONE) != 0)
            return false;
        /* Releases t->joiner to finish. */
    } while (!atomic_compare_exchange_weak_explicit(&t->word, &old, old | AWI_TASK_JOINED,
                                                    memory_order_acq_rel, memory_order_acquire));
    return true;
}

bool awi_state_release(aw_task *t)
{
    uint64_t old = atomic_fetch_and_explicit(&t->word, ~BIT(AWI_TASK_HANDLE), memory_order_acq_rel);
    return (old & AWI_TASK_DONE) != 0;
}
