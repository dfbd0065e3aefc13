/* SPDX-License-Identifier: MIT */
/*
 * What is an executor inside? For sched/ alone; others use awi_sched.h.
 *
 * A runtime has one executor, and no thread of its own for it: whoever waits in aw_block_on takes
 * the seat and drives it, the others wait until their task has ended or the seat is free.
 */
#ifndef AWAITC_RUNTIME_EXECUTOR_H
#define AWAITC_RUNTIME_EXECUTOR_H

#include <pthread.h>

#include "runtime/sched/awi_sched.h"
#include "runtime/task/awi_core.h"

struct awi_executor {
    awi_host host;
    awi_wheel wheel;
    awi_reactor *reactor;
    _Atomic uint32_t is_asleep; /* an injector must wake the reactor */
    uint32_t interval;          /* passes between looks at I/O, timers and the inject list */
    aw_runtime *runtime;
};

struct aw_runtime {
    awi_executor executor;
    aw_config config;
    pthread_mutex_t lock; /* of `is_driven` and the pools */
    pthread_cond_t seat;  /* the seat is free, or a task of aw_block_on has ended */
    bool is_driven;
    awi_pool *_Atomic pools[2];
    char thread_name[16];
};

/* Prepares the executor of `rt`; 0, or what the reactor said. */
int awi_executor_init(awi_executor *ex, aw_runtime *rt);
void awi_executor_fini(awi_executor *ex);

/* Runs tasks on this thread until *stop is true. */
void awi_executor_drive(awi_executor *ex, const bool *stop);
/* Cancels every task, and runs until none is left. */
void awi_executor_empty(awi_executor *ex);

/* The default runtime, made on first use; NULL with *error. */
aw_runtime *awi_runtime_default(int *error);

#endif
