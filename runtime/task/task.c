/* SPDX-License-Identifier: MIT */
/*
 * The life of a task: made by a spawn, run in passes by an executor, ended when its own strand
 * has, freed when nobody holds its handle.
 *
 *     new -> queued -> pass -> (idle -> event -> queued -> pass)* -> done -> released
 *
 * A task that is asked to cancel before its first pass never runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/task/task_memory.h"

#define ROUND_UP(n, to) (((n) + ((to)-1)) & ~((size_t)(to)-1))

/* ---- making -------------------------------------------------------------------------------- */

/* Frame stack that the task starts with: the callee's need, or what was learnt; room for a leaf
 * and for the result of a call that returns at once, aligned as that may be. */
static size_t first_room_bytes(const aw_spawn_site *site)
{
    size_t need = site->need_bytes;
    if (need == 0 && site->hint != NULL)
        need = __atomic_load_n(site->hint, __ATOMIC_RELAXED);
    size_t align = site->result_bytes & -(size_t)site->result_bytes; /* at least the result's */
    size_t result = sizeof(aw_frame) + site->result_bytes + (align > 16 ? align - 16 : 0);
    if (need < result)
        need = result;
    if (need < sizeof(aw_frame) + AW_LEAF_ROOM)
        need = sizeof(aw_frame) + AW_LEAF_ROOM;
    return ROUND_UP(need, 16);
}

/* Counts the task, unless the host takes no more. */
static int count_task(const struct awi_spawn *how)
{
    awi_host *h = how->host;
    if (atomic_load_explicit(&h->is_closing, memory_order_relaxed))
        return -ENODEV;
    if (how->is_counted && h->max_tasks != 0) {
        size_t before = atomic_fetch_add_explicit(&h->spawned_count, 1, memory_order_relaxed);
        if (before >= h->max_tasks) {
            atomic_fetch_sub_explicit(&h->spawned_count, 1, memory_order_relaxed);
            return -EAGAIN;
        }
    }
    atomic_fetch_add_explicit(&h->task_count, 1, memory_order_relaxed);
    return 0;
}

static void uncount_task(awi_host *h, bool is_counted)
{
    if (is_counted && h->max_tasks != 0)
        atomic_fetch_sub_explicit(&h->spawned_count, 1, memory_order_relaxed);
    /* Pairs with the acquire of who waits for the host to be empty. */
    atomic_fetch_sub_explicit(&h->task_count, 1, memory_order_release);
}

static struct awi_task_cache *own_cache(void)
{
    return awi_self.host != NULL ? &awi_self.host->tasks : NULL;
}

/* Lays header, extra, arguments and room out in one piece; NULL: no memory. */
static aw_task *lay_out(const struct awi_spawn *how)
{
    const aw_spawn_site *site = how->site;
    size_t room_bytes = first_room_bytes(site);
    size_t align = site->args_align > 16 ? site->args_align : 16;
    size_t header_bytes = ROUND_UP(sizeof(aw_task) + how->extra_bytes, 16);
    size_t args_bytes = ROUND_UP((size_t)site->args_bytes, 16);
    size_t bytes = header_bytes + (align - 16) + args_bytes;
    if (bytes > AWI_TASK_MEMORY_MAX_BYTES)
        return NULL;
    bool fits = room_bytes <= AWI_TASK_MEMORY_MAX_BYTES - bytes;
    if (fits)
        bytes += room_bytes;
    aw_task *t = awi_task_memory_take(own_cache(), &bytes);
    if (t == NULL)
        return NULL;
    memset(&t->cx, 0, sizeof t->cx);
    char *args = AW_ALIGN_UP((char *)t + header_bytes, align);
    t->args_at = (uint16_t)(args - (char *)t);
    t->room_at = 0;
    if (fits) {
        t->room_at = (uint16_t)(t->args_at + args_bytes);
        t->cx.lim = (char *)t + bytes;
    } else if (!awi_chunk_push_first(&t->cx, room_bytes)) {
        awi_task_memory_give(own_cache(), t);
        return NULL;
    }
    return t;
}

aw_task *awi_task_new(const struct awi_spawn *how, int *error)
{
    *error = count_task(how);
    if (*error != 0)
        return NULL;
    aw_task *t = lay_out(how);
    if (t == NULL) {
        uncount_task(how->host, how->is_counted);
        *error = -ENOMEM;
        return NULL;
    }
    t->cx.task = t;
    t->host = how->host;
    t->site = how->site;
    t->again = NULL;
    t->live_prev = NULL;
    t->live_next = NULL;
    t->ended = how->ended;
    t->how = (uint8_t)((how->is_counted ? AWI_TASK_IS_COUNTED : 0) |
                       (how->ended != NULL ? AWI_TASK_IS_WATCHED : 0));
    t->is_over = 0;
    if (how->site->args_bytes != 0)
        memcpy((char *)t + t->args_at, how->args, how->site->args_bytes);
    awi_state_reset(t, how->has_handle);
    return t;
}

void awi_task_launch(aw_task *t)
{
    awi_host_queue(t->host, t);
}

/* ---- running ------------------------------------------------------------------------------- */

static void live_link(awi_host *h, aw_task *t)
{
    t->live_next = h->live;
    if (h->live != NULL)
        h->live->live_prev = t;
    h->live = t;
}

static void live_unlink(awi_host *h, aw_task *t)
{
    if (t->live_next != NULL)
        t->live_next->live_prev = t->live_prev;
    if (t->live_prev != NULL)
        t->live_prev->live_next = t->live_next;
    else if (h->live == t)
        h->live = t->live_next;
}

void awi_task_take_events(awi_host *h, aw_task *t, uint32_t events)
{
    if ((events & AWI_TASK_NEW) != 0) {
        if ((events & AWI_TASK_ASKED) != 0 ||
            atomic_load_explicit(&h->is_closing, memory_order_relaxed)) {
            t->rc = -ECANCELED;
            t->is_over = 1;
            return;
        }
        if ((events & AWI_TASK_WOKEN) != 0)
            awi_strand_woken(&t->cx);
        live_link(h, t);
        awi_strand_start(t);
        return;
    }
    if ((events & AWI_TASK_READY) != 0)
        awi_strand_ready(&t->cx);
    if ((events & AWI_TASK_WOKEN) != 0)
        awi_strand_woken(&t->cx);
    if ((events & AWI_TASK_ARRIVED) != 0)
        awi_slots_deliver(t);
    if ((events & AWI_TASK_ASKED) != 0) {
        awi_strand_ask(&t->cx);
        awi_strand_todo(&t->cx);
    }
}

/* Frees all but the header's own memory, which is given back. */
static void free_task(aw_task *t)
{
    if (t->cx.chunk != NULL || t->cx.spare != NULL)
        awi_chunks_drop(&t->cx);
    awi_state_retire(t);
    awi_task_memory_give(own_cache(), t);
}

void awi_task_over(awi_host *h, aw_task *t)
{
    live_unlink(h, t);
    if ((t->how & AWI_TASK_IS_WATCHED) != 0)
        t->ended(t);
    bool is_counted = (t->how & AWI_TASK_IS_COUNTED) != 0;
    uint32_t was = awi_state_finish(t);
    if ((was & AWI_TASK_HANDLE) == 0)
        free_task(t);
    else if ((was & AWI_TASK_JOINED) != 0)
        awi_leaf_complete(t->joiner); /* who holds the handle does nothing before this */
    uncount_task(h, is_counted);
}

void awi_task_release(aw_task *t)
{
    if (awi_state_release(t))
        free_task(t);
}

/* ---- public -------------------------------------------------------------------------------- */

AWI_PUBLIC void aw_cancel(aw_task *t)
{
    if (t == NULL)
        return;
    if (t == awi_self.task)
        awi_strand_ask_running(awi_self.strand);
    if (awi_state_event(t, AWI_TASK_ASKED))
        awi_host_queue(t->host, t);
}

void awi_check_handle(const aw_task *t, const char *who)
{
#ifndef NDEBUG
    uint64_t word = atomic_load_explicit(&t->word, memory_order_relaxed);
    if ((word & (AWI_TASK_HANDLE | AWI_TASK_JOINED)) == AWI_TASK_HANDLE)
        return;
    fprintf(stderr, "%s: the handle was joined or detached before\n", who);
    abort();
#else
    (void)t;
    (void)who;
#endif
}

AWI_PUBLIC void aw_detach(aw_task *t)
{
    if (t == NULL)
        return;
    awi_check_handle(t, "aw_detach");
    awi_task_release(t);
}

AWI_PUBLIC aw_task *aw_task_self(void)
{
    return awi_self.task;
}

AWI_PUBLIC const char *aw_task_name(const aw_task *t)
{
    return t != NULL ? t->site->func : "";
}
