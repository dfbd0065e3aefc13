/* SPDX-License-Identifier: MIT */
/*
 * The bounds of the executing thread's stack, from pthread_getattr_np: for the first thread that
 * reads the resource limit, for others the mapping. On a stack that is not the thread's own (an
 * alternate signal stack, a coroutine of somebody else) nothing is known; some room below the
 * present depth is assumed.
 */
#include "runtime/sys/sys_stack.h"

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum { HEADROOM_BYTES = 64 * 1024, FOREIGN_STACK_BYTES = 32 * 1024 };

static _Thread_local struct {
    uintptr_t low, high;
} bounds;

static void look_up_bounds(void)
{
    pthread_attr_t attr;
    bounds.low = 1; /* looked up, nothing known */
    bounds.high = 1;
    if (pthread_getattr_np(pthread_self(), &attr) != 0)
        return;
    void *low = NULL;
    size_t bytes = 0;
    if (pthread_attr_getstack(&attr, &low, &bytes) == 0) {
        bounds.low = (uintptr_t)low;
        bounds.high = (uintptr_t)low + bytes;
    }
    pthread_attr_destroy(&attr);
}

struct awi_stack_limits awi_stack_limits(void)
{
    if (bounds.high == 0)
        look_up_bounds();
    char *here = __builtin_frame_address(0);
    uintptr_t at = (uintptr_t)here;
    if (at <= bounds.low || at >= bounds.high)
        return (struct awi_stack_limits){here - FOREIGN_STACK_BYTES, here - FOREIGN_STACK_BYTES};
    uintptr_t headroom = (bounds.high - bounds.low) / 4;
    if (headroom > HEADROOM_BYTES)
        headroom = HEADROOM_BYTES;
    char *low = here - (at - bounds.low);
    return (struct awi_stack_limits){low + headroom, low + headroom / 2};
}
