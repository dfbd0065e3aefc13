/* SPDX-License-Identifier: MIT */
/*
 * Who runs calls that would hold the executor up? A pool of threads over one FIFO of jobs:
 *
 *     submit --> [job][job][job] --> thread  run(job)
 *                                    thread
 *                                    (one more, if there are more jobs than idle threads)
 *
 * The blocking pool grows up to its limit and shrinks after a time without work; the compute pool
 * has one thread a core, which stay. Threads are created when they are first needed, so a program
 * that never asks has none.
 */
#ifndef AWAITC_RUNTIME_BLOCKING_POOL_H
#define AWAITC_RUNTIME_BLOCKING_POOL_H

#include <stddef.h>
#include <stdint.h>

/* A part of what waits for it; the caller sets run. */
struct awi_job {
    struct awi_job *next; /* the pool's */
    /* Called on the pool's thread, which does not touch the job afterwards. */
    void (*run)(struct awi_job *job);
};

struct awi_pool_config {
    unsigned max_threads;     /* 0 counts as 1 */
    uint64_t keep_alive_ns;   /* an idle thread ends after so long; UINT64_MAX: never */
    const char *thread_name;  /* copied, at most 15 bytes; NULL: "awaitc" */
    size_t thread_stack_size; /* bytes, rounded up to what the system demands; 0: the system's */
    void (*on_thread_start)(void); /* on each thread, before its first job; or NULL */
    void (*on_thread_stop)(void);
};

typedef struct awi_pool awi_pool;

/* 0, -ENOMEM or -EAGAIN. `config` is borrowed for the call, `out` untouched on failure. No thread
 * is started yet. */
int awi_pool_create(const struct awi_pool_config *config, awi_pool **out);
/* Runs what is queued to its end, joins the threads. Sets *pool to NULL; it may be NULL already.
 * Not from a job. */
void awi_pool_destroy(awi_pool **pool);
/*
 * Queues a job. 0: it will run, maybe before this returns. -EAGAIN: there is no thread and
 * none could be started; the job is the caller's again. With fewer threads than wanted the job
 * waits its turn. Any thread.
 */
int awi_pool_submit(awi_pool *pool, struct awi_job *job);
/* Threads that exist now. For tests and metrics. */
unsigned awi_pool_thread_count(awi_pool *pool);

/* How many CPUs this process may use: affinity and, if it is lower, the cgroup's quota; at least 1.
 */
unsigned awi_cpu_count(void);

#endif
