/* SPDX-License-Identifier: MIT */
/* Pieces of memory for tasks; task_memory.c says how they are kept. */
#ifndef AWAITC_RUNTIME_TASK_MEMORY_H
#define AWAITC_RUNTIME_TASK_MEMORY_H

#include "runtime/task/task_state.h"

/* The largest piece. */
#define AWI_TASK_MEMORY_MAX_BYTES ((size_t)16 * 1024)

/*
 * A piece for a task: `word`, `slots` and `size_class` stay as they are, all else is the caller's
 * to set. NULL: no memory.
 *
 * cache  of the executor that this thread drives; NULL on other threads.
 * bytes  how many are wanted, header included, at most AWI_TASK_MEMORY_MAX_BYTES; gets how many
 * there are.
 */
aw_task *awi_task_memory_take(struct awi_task_cache *cache, size_t *bytes);
void awi_task_memory_give(struct awi_task_cache *cache, aw_task *t);

/* Gives all pieces to the depot. */
void awi_task_cache_empty(struct awi_task_cache *cache);

#endif
