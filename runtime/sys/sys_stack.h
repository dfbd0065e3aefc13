/* SPDX-License-Identifier: MIT */
/* How deep may calls go on this thread? */
#ifndef AWAITC_RUNTIME_SYS_STACK_H
#define AWAITC_RUNTIME_SYS_STACK_H

struct awi_stack_limits {
    char *call; /* the lowest address that a lowered call may still start at */
    char *last; /* the lowest from which the runtime still starts one, if there is no other way */
};

/*
 * The limits of this thread's C stack. Below `call` is headroom for the runtime and for plain
 * functions: 64 KiB, a quarter of a small stack; `last` is in its middle. The bounds are looked up
 * once a thread.
 */
struct awi_stack_limits awi_stack_limits(void);

#endif
