/* SPDX-License-Identifier: MIT */
/*
 * Where are the places at which branches are woken? In blocks that belong to the memory of a task,
 * for ever: wakers point at slots as they point at tasks. The first block of a task comes from a
 * stock that is filled when a runtime is made, so that the first aw_all allocates nothing.
 */
#include <pthread.h>
#include <string.h>

#include "runtime/sys/sys_alloc.h"
#include "runtime/task/task_state.h"

enum { FIRST_BLOCK_SLOTS = 7, MAX_BLOCK_SLOTS = 1024, STOCK_BLOCKS = 32 };

/* ---- the stock ----------------------------------------------------------------------------- */

struct batch {
    struct batch *next;
    awi_slot_block *blocks; /* so that leak checkers see them */
};

static struct {
    pthread_mutex_t lock;
    awi_slot_block *first; /* a list by `next` */
    struct batch *batches;
} stock = {.lock = PTHREAD_MUTEX_INITIALIZER};

static size_t block_bytes(uint32_t count)
{
    return sizeof(awi_slot_block) + count * sizeof(aw_slot);
}

/* Locked. */
static int stock_fill(void)
{
    size_t each = (block_bytes(FIRST_BLOCK_SLOTS) + 15) & ~(size_t)15;
    struct batch *batch = awi_alloc(sizeof *batch + STOCK_BLOCKS * each);
    if (batch == NULL)
        return -ENOMEM;
    batch->next = stock.batches;
    stock.batches = batch;
    for (size_t i = 0; i < STOCK_BLOCKS; i++) {
        awi_slot_block *block = (awi_slot_block *)(void *)((char *)(batch + 1) + i * each);
        atomic_store_explicit(&block->next, stock.first, memory_order_relaxed);
        stock.first = block;
    }
    batch->blocks = stock.first;
    return 0;
}

int awi_slots_stock(void)
{
    pthread_mutex_lock(&stock.lock);
    int rc = stock.first == NULL ? stock_fill() : 0;
    pthread_mutex_unlock(&stock.lock);
    return rc;
}

static awi_slot_block *stock_take(void)
{
    pthread_mutex_lock(&stock.lock);
    if (stock.first == NULL)
        stock_fill();
    awi_slot_block *block = stock.first;
    if (block != NULL)
        stock.first = atomic_load_explicit(&block->next, memory_order_relaxed);
    pthread_mutex_unlock(&stock.lock);
    return block;
}

/* ---- slots of a task ----------------------------------------------------------------------- */

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
    awi_slot_block *block = last == NULL ? stock_take() : awi_alloc(block_bytes(count));
    if (block == NULL)
        return NULL;
    memset(block, 0, block_bytes(count));
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

int awi_slots_reserve(aw_task *t, uint32_t count)
{
    awi_slot_block *first = awi_slots_of(t);
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
            end = &awi_slots_of(t)->free;
        *end = slots;
        end = &slots[added - 1].next;
        count -= added < count ? added : count;
    }
    return 0;
}

aw_slot *awi_slot_take(aw_task *t, aw_cx *c)
{
    awi_slot_block *first = awi_slots_of(t);
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
        slot->next = awi_slots_of(t)->free;
        awi_slots_of(t)->free = slot;
    }
}
