/* SPDX-License-Identifier: MIT */
/*
 * One pass over a task: the hot path of every switch between tasks.
 *
 *     take the events -> list the strands that may go on -> run each until it waits
 *
 * What is rare, a cancel, the end of a strand, a bounced call, is in strand.c.
 */
#include "runtime/task/task_state.h"

/* As awi_strand_run without a cancel, for the common case: resumes, and suspends again. */
static inline void strand_resume(aw_cx *c, aw_frame *f)
{
    for (;;) {
        const aw_site *site = f->at;
        c->pending = NULL;
        site->resume(c, f, site->state);
        if (c->pending != NULL) {
            if (AW_UNLIKELY((c->cancel | c->now) != 0))
                awi_strand_settle(c);
            return;
        }
        bool leaving = f == c->unwind;
        f = f->parent;
        if (AW_UNLIKELY(f == NULL || leaving)) {
            awi_strand_run(c, (struct awi_step){f, leaving});
            return;
        }
    }
}

/* A strand that is to be cancelled, or was listed for another reason than its leaf's event. */
static void step_rare(aw_cx *c, unsigned was)
{
    aw_frame *leaf = c->leaf;
    c->state = (uint16_t)(was & ~(unsigned)(AWI_STRAND_LISTED | AWI_STRAND_READY));
    if (leaf == NULL)
        return;
    /* An event that has arrived wins over the cancel; a yield has none. */
    if ((was & AWI_STRAND_READY) == 0 ||
        (c->cancel == AW_CANCEL_ASKED && leaf->at == &awi_yield_site)) {
        awi_strand_settle(c);
        return;
    }
    c->state &= (uint16_t)~AWI_STRAND_TOLD;
    awi_strand_run(c, (struct awi_step){leaf->at->resume != NULL ? leaf : leaf->parent, false});
}

static inline void strand_step(aw_cx *c, char *stk)
{
    unsigned was = c->state;
    awi_self.strand = c;
    c->stk = stk;
    if (AW_UNLIKELY((was & AWI_STRAND_READY) == 0 || c->cancel != AW_CANCEL_NONE)) {
        step_rare(c, was);
        return;
    }
    aw_frame *leaf = c->leaf;
    c->state = (uint16_t)(was & AWI_STRAND_TOKEN);
    if (leaf->at->resume == NULL) {
        leaf = leaf->parent;
        if (AW_UNLIKELY(leaf == NULL)) {
            awi_strand_run(c, (struct awi_step){NULL, false});
            return;
        }
    }
    strand_resume(c, leaf);
}

static inline aw_cx *next_todo(awi_host *h)
{
    aw_cx *c = h->todo.head;
    if (c != NULL)
        h->todo.head = c->next;
    return c;
}

void awi_task_run(awi_host *h, aw_task *t)
{
    uint32_t events = awi_state_begin(t);
    awi_self.task = t;
    aw_cx *c = t->again;
    if (AW_LIKELY(events == 0 && c != NULL && c->next == c)) {
        t->again = NULL; /* one strand, which has yielded */
    } else {
        h->todo = awi_again_take(t);
        if (events != 0)
            awi_task_take_events(h, t, events);
        c = next_todo(h);
    }
    for (; c != NULL; c = next_todo(h))
        strand_step(c, h->stk);
    if (AW_UNLIKELY(t->is_over)) {
        awi_task_over(h, t);
    } else if (t->again != NULL) {
        /* What it has woken comes before it. */
        if (AW_UNLIKELY(atomic_load_explicit(&h->injected, memory_order_relaxed) != NULL))
            awi_host_drain(h);
        awi_state_again(t);
        awi_run_queue_push(h, t);
    } else if (awi_state_end(t)) {
        awi_run_queue_push(h, t);
    }
}
