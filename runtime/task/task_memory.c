/* SPDX-License-Identifier: MIT */
/*
 * Where do tasks live? In pieces of fixed sizes, cut from slabs, that are recycled and never given
 * back to the system: a waker may look at a header at any time, also after the task's end and the
 * runtime's. A piece stays what it is, so the header's generation, its slots and the epochs of
 * these go on from one task to the next.
 *
 *     take:  this thread's executor's list --> the depot's list --> a new slab
 *     give:  to this thread's list; without one to the depot
 *
 * Sizes grow in steps of 32 bytes, then of an eighth. What does not fit the largest gets its first
 * room as a chunk (task.c).
 */
#include "runtime/task/task_memory.h"

#include <pthread.h>
#include <string.h>

#include "runtime/sys/sys_alloc.h"

enum { SLAB_BYTES = 32 * 1024, FIRST_CLASS_BYTES = 256 };

struct slab {
    struct slab *next;
    size_t bytes;
};

/* What no running executor holds, and all slabs. */
static struct {
    pthread_mutex_t lock;
    struct awi_task_cache cache;
    struct slab *slabs;
} depot = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Sizes 256, 288, ..., 512 in steps of 32, then eight steps between powers of two. */
static unsigned class_of(size_t bytes)
{
    if (bytes <= FIRST_CLASS_BYTES)
        return 0;
    if (bytes <= (size_t)2 * FIRST_CLASS_BYTES)
        return (unsigned)((bytes - FIRST_CLASS_BYTES + 31) / 32);
    unsigned log = 63u - (unsigned)__builtin_clzll(bytes - 1); /* 2^log < bytes <= 2^(log+1) */
    size_t step = (size_t)1 << (log - 3);
    return (log - 8) * 8 + (unsigned)((bytes - ((size_t)1 << log) + step - 1) / step);
}

static size_t class_bytes(unsigned size_class)
{
    if (size_class == 0)
        return FIRST_CLASS_BYTES;
    unsigned log = 8 + (size_class - 1) / 8;
    return ((size_t)1 << log) + (((size_class - 1) % 8) + 1) * ((size_t)1 << (log - 3));
}

static aw_task *list_take(struct awi_task_cache *cache, unsigned size_class)
{
    aw_task *t = cache->free[size_class];
    if (t == NULL)
        return NULL;
    cache->free[size_class] = t->next;
    AWI_UNPOISON(t + 1, class_bytes(size_class) - sizeof *t);
    return t;
}

static void list_give(struct awi_task_cache *cache, aw_task *t)
{
    t->next = cache->free[t->size_class];
    cache->free[t->size_class] = t;
    AWI_POISON(t + 1, class_bytes(t->size_class) - sizeof *t);
}

/* Cuts a new slab; one piece is returned, the others go to `cache`. The depot is locked. */
static aw_task *cut_slab(struct awi_task_cache *cache, unsigned size_class)
{
    size_t each = class_bytes(size_class);
    size_t count = (SLAB_BYTES - sizeof(struct slab)) / each;
    struct slab *slab = awi_alloc(sizeof *slab + count * each);
    if (slab == NULL)
        return NULL;
    slab->bytes = sizeof *slab + count * each;
    slab->next = depot.slabs;
    depot.slabs = slab;
    aw_task *t = NULL;
    for (size_t i = count; i-- > 0;) {
        if (t != NULL)
            list_give(cache, t);
        t = (aw_task *)(void *)((char *)(slab + 1) + i * each);
        memset(t, 0, sizeof *t);
        t->size_class = (uint16_t)size_class;
        awi_state_retire(t);
    }
    return t;
}

aw_task *awi_task_memory_take(struct awi_task_cache *cache, size_t *bytes)
{
    unsigned size_class = class_of(*bytes);
    *bytes = class_bytes(size_class);
    aw_task *t = cache != NULL ? list_take(cache, size_class) : NULL;
    if (t != NULL)
        return t;
    pthread_mutex_lock(&depot.lock);
    t = list_take(&depot.cache, size_class);
    if (t == NULL)
        t = cut_slab(cache != NULL ? cache : &depot.cache, size_class);
    pthread_mutex_unlock(&depot.lock);
    return t;
}

void awi_task_memory_give(struct awi_task_cache *cache, aw_task *t)
{
    if (cache != NULL) {
        list_give(cache, t);
        return;
    }
    pthread_mutex_lock(&depot.lock);
    list_give(&depot.cache, t);
    pthread_mutex_unlock(&depot.lock);
}

void awi_task_cache_empty(struct awi_task_cache *cache)
{
    pthread_mutex_lock(&depot.lock);
    for (unsigned i = 0; i < AWI_TASK_CLASSES; i++) {
        for (aw_task *t; (t = list_take(cache, i)) != NULL;)
            list_give(&depot.cache, t);
    }
    pthread_mutex_unlock(&depot.lock);
}
