/* SPDX-License-Identifier: MIT */
/*
 * What runs next? An executor's turn:
 *
 *     1. take what other threads and signal handlers have injected
 *     2. run up to `interval` passes from the run queue, oldest first
 *     3. fire the timers that are due; look at the descriptors, waiting for them if nothing is
 * ready
 *
 * so tasks that wake themselves for ever do not keep I/O, timers or injected tasks waiting for more
 * than `interval` passes. Without work it sleeps in the reactor until the next timer.
 *
 * Going to sleep: set is_asleep, look at the inject list once more, sleep. Waking: push, then look
 * at is_asleep. Both sides are seq_cst, so one of them sees the other.
 */
#include "runtime/sched/executor.h"

#include <string.h>

#include "runtime/sys/sys_clock.h"
#include "runtime/sys/sys_stack.h"
#include "runtime/task/task_memory.h"

enum { DEFAULT_INTERVAL = 61 };

static void notify(awi_host *h)
{
    awi_executor *ex = (awi_executor *)(void *)h; /* host is its first member */
    if (atomic_load_explicit(&ex->is_asleep, memory_order_seq_cst) != 0 &&
        atomic_exchange_explicit(&ex->is_asleep, 0, memory_order_seq_cst) != 0)
        awi_reactor_wake(ex->reactor);
}

int awi_executor_init(awi_executor *ex, aw_runtime *rt)
{
    memset(ex, 0, sizeof *ex);
    int rc = awi_slots_stock();
    if (rc == 0)
        rc = awi_reactor_create((int)rt->config.io_backend, &ex->reactor);
    if (rc != 0)
        return rc;
    awi_wheel_init(&ex->wheel, awi_now_ns());
    ex->host.notify = notify;
    ex->host.max_tasks = rt->config.max_tasks;
    ex->interval = rt->config.event_interval != 0 ? rt->config.event_interval : DEFAULT_INTERVAL;
    ex->runtime = rt;
    return 0;
}

void awi_executor_fini(awi_executor *ex)
{
    while (atomic_load_explicit(&ex->host.injectors, memory_order_acquire) != 0)
        sched_yield();
    awi_task_cache_empty(&ex->host.tasks);
    awi_chunks_free_cached(&ex->host);
    awi_reactor_destroy(&ex->reactor);
}

static void run_passes(awi_executor *ex, const bool *stop)
{
    awi_host *h = &ex->host;
    for (uint32_t left = ex->interval; left > 0 && !*stop; left--) {
        aw_task *t = h->run_head;
        if (t == NULL)
            break;
        h->run_head = t->next;
        awi_task_run(h, t);
    }
    awi_self.task = NULL;
    awi_self.strand = NULL;
}

/* Timers and descriptors; waits if nothing is ready to run. */
static void look_outside(awi_executor *ex)
{
    awi_host *h = &ex->host;
    uint64_t deadline_ns = 0;
    if (h->run_head == NULL) {
        atomic_store_explicit(&ex->is_asleep, 1, memory_order_seq_cst);
        if (atomic_load_explicit(&h->injected, memory_order_seq_cst) == NULL)
            deadline_ns = awi_wheel_next_ns(&ex->wheel);
    }
    awi_reactor_poll(ex->reactor, deadline_ns);
    atomic_store_explicit(&ex->is_asleep, 0, memory_order_relaxed);
    if (ex->wheel.count != 0)
        awi_wheel_advance(&ex->wheel, awi_now_ns());
}

/* This thread drives the executor from now on. */
static void sit_down(awi_host *h)
{
    struct awi_stack_limits limits = awi_stack_limits();
    h->stk = limits.call;
    h->last_stk = limits.last;
    awi_self.host = h;
}

void awi_executor_drive(awi_executor *ex, const bool *stop)
{
    awi_host *h = &ex->host;
    sit_down(h);
    while (!*stop) {
        awi_host_drain(h);
        run_passes(ex, stop);
        if (!*stop)
            look_outside(ex);
    }
    awi_self.host = NULL;
}

static bool is_empty(awi_executor *ex)
{
    return atomic_load_explicit(&ex->host.task_count, memory_order_acquire) == 0;
}

void awi_executor_empty(awi_executor *ex)
{
    awi_host *h = &ex->host;
    bool never = false;
    sit_down(h);
    /* From here on nothing is spawned, and what is new does not begin; the others are `live`. */
    atomic_store_explicit(&h->is_closing, true, memory_order_relaxed);
    for (aw_task *t = h->live; t != NULL; t = t->live_next) {
        if (awi_state_event(t, AWI_TASK_ASKED))
            awi_run_queue_push(h, t);
    }
    while (!is_empty(ex)) {
        awi_host_drain(h);
        run_passes(ex, &never);
        if (!is_empty(ex))
            look_outside(ex);
    }
    awi_self.host = NULL;
}

/* ---- awi_sched.h --------------------------------------------------------------------------- */

awi_executor *awi_executor_current(void)
{
    return (awi_executor *)(void *)awi_self.host; /* host is its first member */
}

awi_wheel *awi_executor_wheel(awi_executor *ex)
{
    return &ex->wheel;
}

awi_reactor *awi_executor_reactor(awi_executor *ex)
{
    return ex->reactor;
}

const aw_config *awi_executor_config(const awi_executor *ex)
{
    return &ex->runtime->config;
}
