/* SPDX-License-Identifier: MIT */
/*
 * How does an event find its strand? Public wakes (aw_waker_get, aw_wake) and the completion of
 * leaves.
 *
 *     own strand     waker {task, generation of the task, 0}       bit WOKEN of the state word
 *     a branch       waker {task, epoch of the slot, 1 + index}    bit WOKEN of the slot, which
 *                                                                  goes on the list of arrivals
 *
 * Slots belong to the task's memory and are reused, never freed; a waker that is older than the
 * slot's epoch, or the task's generation, does nothing. A slot is on that list at most once
 * (bit LISTED), so its `next` has one owner; if its branch ends meanwhile, it is GIVEN_BACK and
 * becomes free when the list is delivered.
 *
 * aw_wake may run in a signal handler on the very thread that drives the executor, in the middle
 * of anything: it uses atomics only, and the inject list, never the run queue.
 */
#include "runtime/sys/sys_alloc.h"
#include "runtime/task/task_state.h"

#include <string.h>

enum { FIRST_BLOCK_SLOTS = 7, MAX_BLOCK_SLOTS = 1024 };

/* ---- slots --------------------------------------------------------------------------------- */

/* Appends a block; its slots, a list, are not on the free list yet. NULL: no memory. */
static aw_slot *add_block(aw_task *t, uint32_t *added)
{
    awi_slot_block *_Atomic *link = &t->slots;
    awi_slot_block *last = NULL;
    for (awi_slot_block *b; (b = atomic_load_explicit(link, memory_order_relaxed)) != NULL;) {
        last = b;
        link = &b->next;
    }
    uint32_t count = FIRST_BLOCK_SLOTS;
    if (last != NULL)
        count = last->count * 2 < MAX_BLOCK_SLOTS ? last->count * 2 + 1 : MAX_BLOCK_SLOTS;
    awi_slot_block *block = awi_alloc(sizeof *block + count * sizeof block->slot[0]);
    if (block == NULL)
        return NULL;
    memset(block, 0, sizeof *block + count * sizeof block->slot[0]);
    block->first_index = last != NULL ? last->first_index + last->count : 0;
    block->count = count;
    for (uint32_t i = 0; i < count; i++) {
        block->slot[i].index = block->first_index + i;
        block->slot[i].next = i + 1 < count ? &block->slot[i + 1] : NULL;
    }
    /* Pairs with find_slot's acquire. */
    atomic_store_explicit(link, block, memory_order_release);
    *added = count;
    return &block->slot[0];
}

static awi_slot_block *first_block(aw_task *t)
{
    return atomic_load_explicit(&t->slots, memory_order_relaxed);
}

int awi_slots_reserve(aw_task *t, uint32_t count)
{
    awi_slot_block *first = first_block(t);
    aw_slot **end = first != NULL ? &first->free : NULL;
    for (; end != NULL && *end != NULL; end = &(*end)->next) {
        if (count-- == 0)
            return 0;
    }
    while (count > 0) {
        uint32_t added = 0;
        aw_slot *slots = add_block(t, &added);
        if (slots == NULL)
            return -ENOMEM;
        if (end == NULL)
            end = &first_block(t)->free;
        *end = slots;
        end = &slots[added - 1].next;
        count -= added < count ? added : count;
    }
    return 0;
}

aw_slot *awi_slot_take(aw_task *t, aw_cx *c)
{
    awi_slot_block *first = first_block(t);
    aw_slot *slot = first->free;
    first->free = slot->next;
    slot->cx = c;
    return slot;
}

void awi_slot_give(aw_task *t, aw_slot *slot)
{
    uint64_t old = atomic_load_explicit(&slot->word, memory_order_relaxed);
    uint64_t want;
    do {
        want = ((old >> 32) + 1) << 32;
        if ((old & AWI_SLOT_LISTED) != 0)
            want |= AWI_SLOT_LISTED | AWI_SLOT_GIVEN_BACK;
    } while (!atomic_compare_exchange_weak_explicit(&slot->word, &old, want, memory_order_relaxed,
                                                    memory_order_relaxed));
    if ((want & AWI_SLOT_LISTED) == 0) {
        slot->next = first_block(t)->free;
        first_block(t)->free = slot;
    }
}

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
    awi_slot_block *first = first_block(t);
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
    awi_slot_block *first = first_block(t);
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
