/* SPDX-License-Identifier: MIT */
/*
 * What is a task inside? Shared by task/, sched/ and sync/; leaves need only awi_task.h.
 *
 *     | aw_task | extra | arguments | frame stack of the task's own strand ... |
 *                         ^ args      ^ room                                   ^ cx.lim
 *
 * One piece of memory a task. It is never given back to the system, only reused for other tasks
 * of its size (task_memory.c), so a waker may look at the header at any time; the generation in
 * the state word tells whether it still means the same task.
 *
 * A strand is one chain of awaits: the task's own, or a branch of a group. Strands that may go on
 * are listed, by aw_cx.next, in one of two places:
 *     host->todo    run in this pass over the task
 *     task->again   run in the next pass (a yield), so that a pass ends; a ring
 * Both belong to whoever runs the task. Events from elsewhere set a bit in the state word (own
 * strand) or in the branch's slot, which is then pushed on its task's list of arrivals.
 */
#ifndef AWAITC_RUNTIME_AWI_CORE_H
#define AWAITC_RUNTIME_AWI_CORE_H

#include <stdatomic.h>

#include "runtime/task/awi_task.h"

typedef struct awi_host awi_host;
typedef struct awi_slot_block awi_slot_block;

/* Bits of aw_cx.state; only whoever runs the task touches them. */
enum {
    AWI_STRAND_READY = 1,  /* the leaf's event has arrived */
    AWI_STRAND_LISTED = 2, /* in host->todo or task->again */
    AWI_STRAND_TOKEN = 4,  /* was woken while not in aw_park: the next aw_park returns */
    AWI_STRAND_TOLD = 8,   /* the leaf has been told of the cancel and goes on waiting */
    AWI_STRAND_TIE = 16    /* of a race: was ready when a branch with a higher index won */
};

struct awi_strand_list {
    aw_cx *head, *tail;
};

/* Bits of aw_task.how; set before the task is queued for the first time. */
enum {
    AWI_TASK_IS_COUNTED = 1, /* in host->spawned_count */
    AWI_TASK_IS_WATCHED = 2  /* ended is valid, and nobody joins it */
};

struct aw_task {
    aw_cx cx;              /* the task's own strand */
    _Atomic uint64_t word; /* task_state.h */
    aw_task *next;         /* in a run queue, an inject list or a free list */
    awi_host *host;
    const aw_spawn_site *site;
    aw_cx *again; /* strands for the next pass: the last of a ring by aw_cx.next; NULL: none */
    awi_slot_block *_Atomic slots;  /* of branches; they stay with the memory */
    aw_task *live_prev, *live_next; /* in host->live, between the first run and the end */
    union {
        struct awi_wake_target *joiner; /* valid with AWI_TASK_JOINED */
        void (*ended)(aw_task *t);      /* called at the end, before anybody learns of it */
    };
    int32_t rc;                /* 0, -ECANCELED, -ENOMEM; valid with AWI_TASK_DONE */
    uint16_t args_at, room_at; /* bytes from here; room_at 0: the room is a chunk */
    uint16_t size_class;       /* task_memory.c */
    uint8_t how;               /* AWI_TASK_IS_... */
    uint8_t is_over;           /* the own strand has ended; the pass ends the task */
};

/*
 * A branch's place for wakes. Never freed, so wakers may point here; `word` has the epoch in its
 * upper half, bits AWI_SLOT_... in the lower. The epoch changes whenever the slot is given back.
 */
struct aw_slot {
    _Atomic uint64_t word;
    aw_slot *next;  /* in one of the lists of the first block */
    aw_cx *cx;      /* the branch's strand */
    uint32_t index; /* waker.slot - 1 */
};

enum { AWI_SLOT_WOKEN = 1, AWI_SLOT_READY = 2, AWI_SLOT_LISTED = 4, AWI_SLOT_GIVEN_BACK = 8 };

/* Slots come in blocks; the lists of a task's slots are in its first. */
struct awi_slot_block {
    aw_slot *_Atomic arrived; /* slots of branches with news; a stack */
    aw_slot *free;            /* unused ones */
    awi_slot_block *_Atomic next;
    uint32_t first_index, count;
    aw_slot slot[];
};

struct aw_chunk {
    aw_frame head;    /* links the chunk into the chain of frames */
    aw_chunk *below;  /* the chunk under this one */
    char *below_lim;  /* c->lim before the push */
    size_t bytes;     /* of the whole chunk */
    aw_chunk *cached; /* next in host->chunks */
};

enum { AWI_CHUNK_MIN_BYTES = 4096, AWI_CHUNK_MAX_BYTES = 256 * 1024, AWI_CHUNKS_CACHED = 64 };

/* Free pieces of memory for tasks, by size; task_memory.h. */
enum { AWI_TASK_CLASSES = 49 };
struct awi_task_cache {
    aw_task *free[AWI_TASK_CLASSES];
};

/* What a task knows of the executor that it runs on. Fields without a remark belong to the thread
 * that drives the executor. */
struct awi_host {
    aw_task *run_head, *run_tail;
    struct awi_strand_list todo;
    char *stk;                   /* what every running strand's stk is */
    char *last_stk;              /* above it, groups run bounced branches on */
    aw_task *_Atomic injected;   /* made ready by other threads or signal handlers; a stack */
    _Atomic uint32_t injectors;  /* threads between the queueing of a task and the end of notify */
    void (*notify)(awi_host *h); /* something was injected; any context */
    aw_task *live;
    struct awi_task_cache tasks; /* memory of ended tasks */
    aw_chunk *chunks;            /* of the smallest size, for reuse */
    uint32_t chunk_count;
    _Atomic bool is_closing;      /* spawns are refused */
    _Atomic size_t task_count;    /* tasks that have not ended */
    _Atomic size_t spawned_count; /* of them, those made by spawn */
    size_t max_tasks;             /* 0: no limit */
};

/* What runs on this thread. */
struct awi_self {
    awi_host *host; /* driven by this thread */
    aw_task *task;
    aw_cx *strand;
};

extern _Thread_local struct awi_self awi_self __attribute__((tls_model("initial-exec")));

/* ---- queues -------------------------------------------------------------------------------- */

/* The caller sets AWI_STRAND_LISTED. */
static inline void awi_strands_push(struct awi_strand_list *list, aw_cx *c)
{
    c->next = NULL;
    if (list->head == NULL)
        list->head = c;
    else
        list->tail->next = c;
    list->tail = c;
}

static inline void awi_again_push(aw_task *t, aw_cx *c)
{
    aw_cx *last = t->again;
    if (last == NULL) {
        c->next = c;
    } else {
        c->next = last->next;
        last->next = c;
    }
    t->again = c;
}

/* Empties the ring into a list. */
static inline struct awi_strand_list awi_again_take(aw_task *t)
{
    struct awi_strand_list list = {NULL, t->again};
    if (list.tail != NULL) {
        list.head = list.tail->next;
        list.tail->next = NULL;
        t->again = NULL;
    }
    return list;
}

static inline void awi_run_queue_push(awi_host *h, aw_task *t)
{
    t->next = NULL;
    if (h->run_head == NULL)
        h->run_head = t;
    else
        h->run_tail->next = t;
    h->run_tail = t;
}

/* Queues a task whose state word has just become QUEUED. Any thread; not a signal handler. */
void awi_host_queue(awi_host *h, aw_task *t);
/* The same from any context. */
void awi_host_inject(awi_host *h, aw_task *t);
/* Moves what was injected into the run queue, oldest first. */
void awi_host_drain(awi_host *h);

/* ---- task.c -------------------------------------------------------------------------------- */

struct awi_spawn {
    awi_host *host;
    const aw_spawn_site *site;
    const void *args;
    size_t extra_bytes; /* room between header and arguments: (void *)(t + 1) */
    void (*ended)(aw_task *t);
    bool has_handle;
    bool is_counted; /* counts for max_tasks */
};

/* A new task, not queued yet; NULL and *error (-ENOMEM, -EAGAIN, -ENODEV). Any thread. */
aw_task *awi_task_new(const struct awi_spawn *how, int *error);
/* Queues a new task. */
void awi_task_launch(aw_task *t);
/* Turns the events of a pass into strands to run; runs a new task's own strand. */
void awi_task_take_events(awi_host *h, aw_task *t, uint32_t events);
/* The own strand has ended: ends the task. */
void awi_task_over(awi_host *h, aw_task *t);
/* One pass: runs every strand that may go on. (pass.c) */
void awi_task_run(awi_host *h, aw_task *t);
/* Stops the program, in builds with assertions, if nobody holds the handle any more. */
void awi_check_handle(const aw_task *t, const char *who);
/* Gives up the handle. */
void awi_task_release(aw_task *t);

/* ---- strand.c ------------------------------------------------------------------------------ */

/* Where a strand goes on: at `frame`, which awaits what has just finished or been cancelled. */
struct awi_step {
    aw_frame *frame; /* NULL: the strand has ended */
    bool leaving;    /* by cancel */
};

/* First run of a task's own strand. */
void awi_strand_start(aw_task *t);
/* Goes on at step.frame, and further, until the strand waits or has ended. */
void awi_strand_run(aw_cx *c, struct awi_step step);
/* Goes on after a call that left c->pending set: bounced calls are run, a cancel is begun. */
void awi_strand_settle(aw_cx *c);
/* Asks this strand alone. */
void awi_strand_ask(aw_cx *c);
/* Asks the running strand and all that wait for it. */
void awi_strand_ask_running(aw_cx *c);
/* Suspends at `fp`, cancelled; error is -ECANCELED or -ENOMEM. */
void awi_strand_fail(aw_cx *c, void *fp, int error);
/* Puts a strand into host->todo unless it is listed. */
void awi_strand_todo(aw_cx *c);

/* The site at which a strand waits for nothing but its cancel; what aw_yield and aw_park wait at.
 */
extern const aw_site awi_cancelled_site, awi_yield_site, awi_park_site;

/* ---- group.c ------------------------------------------------------------------------------- */

/* A group's branch has ended. Returns the strand that goes on because of it, or NULL. */
aw_cx *awi_group_branch_ended(aw_cx *c, bool leaving, struct awi_step *step);
/* The strand that waits for the group is being cancelled. */
void awi_group_cancel(aw_group *g);

/* ---- trace.c ------------------------------------------------------------------------------- */

/* A frame suspended at a site with AW_SITE_TRACED is cancelled and has nothing to clean up. */
void awi_trace_dropped(aw_cx *c, const aw_frame *f);

/* ---- growth.c ------------------------------------------------------------------------------ */

/* A bigger first room than a task's memory has: what follows the head of c->chunk. False: no
 * memory. */
bool awi_chunk_push_first(aw_cx *c, size_t bytes);
/* Frees the chunks of a strand that has ended. */
void awi_chunks_drop(aw_cx *c);
/* Frees what the host keeps for reuse. */
void awi_chunks_free_cached(awi_host *h);

/* ---- slot.c, waker.c ----------------------------------------------------------------------- */

/* The first block of a task's slots, which has their lists; NULL if it never had a group. */
static inline awi_slot_block *awi_slots_of(aw_task *t)
{
    return atomic_load_explicit(&t->slots, memory_order_relaxed);
}

/* Sees to it that some tasks' first slots need no allocation; 0 or -ENOMEM. (slot.c) */
int awi_slots_stock(void);
/* Sees to it that `count` slots are free; 0 or -ENOMEM. */
int awi_slots_reserve(aw_task *t, uint32_t count);
/* A free slot (one was reserved) for this strand. */
aw_slot *awi_slot_take(aw_task *t, aw_cx *c);
/* The branch has ended: wakers made for it mean nothing any more. */
void awi_slot_give(aw_task *t, aw_slot *slot);
/* The running branch takes a wake that has come already; false if none has. */
bool awi_slot_take_woken(aw_cx *c);
/* Hands the news of branches to their strands. */
void awi_slots_deliver(aw_task *t);
/* Tells a strand, not running, that it was woken. */
void awi_strand_woken(aw_cx *c);
/* Tells a strand, not running, that its leaf's event has arrived. */
void awi_strand_ready(aw_cx *c);

#endif
