/* SPDX-License-Identifier: MIT */
/*
 * What do leaves and services need of the scheduler? The executor that runs the current task, and
 * the services that belong to it. One executor runs on the thread that called aw_block_on; when
 * there are several workers, each has one, and these functions mean the worker's own.
 */
#ifndef AWAITC_RUNTIME_AWI_SCHED_H
#define AWAITC_RUNTIME_AWI_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include <awaitc/plain.h>

#include "runtime/blocking/blocking_pool.h"
#include "runtime/reactor/reactor.h"
#include "runtime/timer/timer_wheel.h"

typedef struct awi_executor awi_executor;

/* The executor that this thread drives now; NULL on other threads and outside of aw_block_on. */
awi_executor *awi_executor_current(void);

/* Services of an executor; never NULL. Only on the thread that drives it. */
awi_wheel *awi_executor_wheel(awi_executor *ex);
awi_reactor *awi_executor_reactor(awi_executor *ex);

/* A pool of the runtime, AW_POOL_BLOCKING or AW_POOL_COMPUTE: created on first use; NULL without
 * memory. Any thread. */
awi_pool *awi_executor_pool(awi_executor *ex, int which);

/* Nanoseconds on the monotonic clock: what the wheel's deadlines are measured in. Any thread. */
uint64_t awi_now_ns(void);

/* How the runtime was configured, with defaults filled in. */
const aw_config *awi_executor_config(const awi_executor *ex);

#endif
