/* SPDX-License-Identifier: MIT */
/* What time is it? On the monotonic clock, in nanoseconds. */
#ifndef AWAITC_RUNTIME_SYS_CLOCK_H
#define AWAITC_RUNTIME_SYS_CLOCK_H

#include <stdint.h>

/* Any thread. */
uint64_t awi_now_ns(void);

#endif
