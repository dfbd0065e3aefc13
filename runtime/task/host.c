/* SPDX-License-Identifier: MIT */
/*
 * How does a task get into the run queue of its executor? Directly, on the thread that drives it;
 * else over the inject list, a stack that any thread and any signal handler may push on, and a
 * notify that ends the executor's sleep.
 */
#include "runtime/task/awi_core.h"

void awi_host_queue(awi_host *h, aw_task *t)
{
    if (AW_LIKELY(awi_self.host == h))
        awi_run_queue_push(h, t);
    else
        awi_host_inject(h, t);
}

void awi_host_inject(awi_host *h, aw_task *t)
{
    /* The task cannot end before it is pushed, so the host is still there; `injectors` keeps it
     * there until notify has returned. */
    atomic_fetch_add_explicit(&h->injectors, 1, memory_order_relaxed);
    t->next = atomic_load_explicit(&h->injected, memory_order_relaxed);
    /* seq_cst, as the executor's look at `injected` after it has said that it sleeps. */
    while (!atomic_compare_exchange_weak_explicit(&h->injected, &t->next, t, memory_order_seq_cst,
                                                  memory_order_relaxed))
        ;
    h->notify(h);
    atomic_fetch_sub_explicit(&h->injectors, 1, memory_order_release);
}

void awi_host_drain(awi_host *h)
{
    if (atomic_load_explicit(&h->injected, memory_order_relaxed) == NULL)
        return;
    aw_task *list = atomic_exchange_explicit(&h->injected, NULL, memory_order_acquire);
    aw_task *oldest = NULL;
    while (list != NULL) {
        aw_task *next = list->next;
        list->next = oldest;
        oldest = list;
        list = next;
    }
    while (oldest != NULL) {
        aw_task *next = oldest->next;
        awi_run_queue_push(h, oldest);
        oldest = next;
    }
}
