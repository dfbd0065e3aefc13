/* SPDX-License-Identifier: MIT */
/* The monotonic clock. */
#include "runtime/sys/sys_clock.h"

#include <time.h>

#include <awaitc/plain.h>

uint64_t awi_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

__attribute__((visibility("default"))) uint64_t aw_now(void)
{
    return awi_now_ns();
}
