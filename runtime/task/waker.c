/* SPDX-License-Identifier: MIT */
/*
 * How does an event find its strand? Public wakes (aw_waker_get, aw_wake) and the completion of
 * leaves.
 *
 *     own strand     waker {task, generation of the task, 0}       bit WOKEN of the state word
 *     a branch       waker {task, epoch of the slot, 1 + index}    bit WOKEN of the slot, which
 *                                                                  goes on the list of arrivals
 *
 * A waker that is older than the task's generation, or the slot's epoch, does nothing. A slot is on
 * the list of arrivals at most once (bit LISTED), so its `next` has one owner; if its branch ends
 * meanwhile, it is GIVEN_BACK and becomes free when the list is delivered.
 *
 * aw_wake may run in a signal handler on the very thread that drives the executor, in the middle
 * of anything: it uses atomics only, and the inject list, never the run queue.
 */
#include "runtime/task/task_state.h"

static aw_slot *find_slot(aw_task *t, uint32_t index)
{
    awi_slot_block *b = atomic_load_explicit(&t->slots, memory_order_acquire);
    while (b != NULL && index - b->first_index >= b->count)
        b = atomic_load_explicit(&b->next, memory_order_acquire);
    return b != NULL ? &b->slot[index - b->first_index] : NULL;
}

/* Reports an event to a slot if its epoch is still this one. True: the task must be queued. */
static bool slot_event(aw_task *t, aw_slot *slot, uint32_t epoch, uint64_t bit)
{
    uint64_t old = atomic_load_explicit(&slot->word, memory_order_relaxed);
    do {
        if (old >> 32 != epoch || (old & AWI_SLOT_GIVEN_BACK) != 0)
            return false;
        /* Releases what the sender wrote to awi_slots_deliver. */
    } while (!atomic_compare_exchange_weak_explicit(&slot->word, &old, old | bit | AWI_SLOT_LISTED,
                                                    memory_order_acq_rel, memory_order_relaxed));
    if ((old & AWI_SLOT_LISTED) != 0)
        return false; /* whoever listed it tells the task */
    awi_slot_block *first = awi_slots_of(t);
    slot->next = atomic_load_explicit(&first->arrived, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&first->arrived, &slot->next, slot,
                                                  memory_order_release, memory_order_relaxed))
        ;
    return awi_state_event(t, AWI_TASK_ARRIVED);
}

bool awi_slot_take_woken(aw_cx *c)
{
    aw_slot *slot = ((aw_branch *)(void *)c)->slot; /* cx is its first member */
    if ((atomic_load_explicit(&slot->word, memory_order_relaxed) & AWI_SLOT_WOKEN) == 0)
        return false;
    atomic_fetch_and_explicit(&slot->word, ~(uint64_t)AWI_SLOT_WOKEN, memory_order_acquire);
    return true;
}

void awi_slots_deliver(aw_task *t)
{
    awi_slot_block *first = awi_slots_of(t);
    if (first == NULL)
        return;
    aw_slot *list = atomic_exchange_explicit(&first->arrived, NULL, memory_order_acquire);
    aw_slot *oldest = NULL;
    while (list != NULL) {
        aw_slot *next = list->next;
        list->next = oldest;
        oldest = list;
        list = next;
    }
    while (oldest != NULL) {
        aw_slot *slot = oldest;
        oldest = slot->next;
        /* From here on the next event lists it again. */
        uint64_t old =
            atomic_fetch_and_explicit(&slot->word, ~(uint64_t)UINT32_MAX, memory_order_acq_rel);
        if ((old & AWI_SLOT_GIVEN_BACK) != 0) {
            slot->next = first->free;
            first->free = slot;
            continue;
        }
        if ((old & AWI_SLOT_READY) != 0)
            awi_strand_ready(slot->cx);
        if ((old & AWI_SLOT_WOKEN) != 0)
            awi_strand_woken(slot->cx);
    }
}

/* ---- news for strands ---------------------------------------------------------------------- */

void awi_strand_ready(aw_cx *c)
{
    if (c->leaf == NULL || c->leaf->at == &awi_park_site)
        return;
    c->state |= AWI_STRAND_READY;
    awi_strand_todo(c);
}

void awi_strand_woken(aw_cx *c)
{
    if (c->leaf != NULL && c->leaf->at == &awi_park_site) {
        c->state |= AWI_STRAND_READY;
        awi_strand_todo(c);
    } else {
        c->state |= AWI_STRAND_TOKEN;
    }
}

static bool complete(aw_cx *c, aw_task *t)
{
    if (c->group == NULL)
        return awi_state_event(t, AWI_TASK_READY);
    aw_slot *slot = ((aw_branch *)(void *)c)->slot;
    uint32_t epoch = (uint32_t)(atomic_load_explicit(&slot->word, memory_order_relaxed) >> 32);
    return slot_event(t, slot, epoch, AWI_SLOT_READY);
}

void awi_leaf_complete(struct awi_wake_target *target)
{
    aw_task *t = target->cx->task;
    if (complete(target->cx, t))
        awi_host_queue(t->host, t);
}

void awi_leaf_complete_remote(struct awi_wake_target *target)
{
    awi_leaf_complete(target);
}

/* ---- public -------------------------------------------------------------------------------- */

AWI_PUBLIC aw_waker aw_waker_get(void)
{
    aw_waker w = {NULL, 0, 0};
    aw_cx *c = awi_self.strand;
    if (c == NULL)
        return w;
    w.task = c->task;
    if (c->group == NULL) {
        w.generation = awi_state_generation(c->task);
    } else {
        aw_slot *slot = ((aw_branch *)(void *)c)->slot;
        w.generation = (uint32_t)(atomic_load_explicit(&slot->word, memory_order_relaxed) >> 32);
        w.slot = slot->index + 1;
    }
    return w;
}

AWI_PUBLIC void aw_wake(const aw_waker *w)
{
    aw_task *t = w->task;
    bool queue = false;
    if (t == NULL)
        return;
    if (w->slot == 0) {
        queue = awi_state_event_of(t, w->generation, AWI_TASK_WOKEN);
    } else {
        aw_slot *slot = find_slot(t, w->slot - 1);
        queue = slot != NULL && slot_event(t, slot, w->generation, AWI_SLOT_WOKEN);
    }
    if (queue)
        awi_host_inject(t->host, t);
}
