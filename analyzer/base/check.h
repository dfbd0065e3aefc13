/* SPDX-License-Identifier: MIT */
/*
 * What must hold inside the tool? Assertions for faults of our own, never for faults of the
 * user's program (those are diagnostics) or of the environment (those are status codes).
 */
#ifndef AWAITC_BASE_CHECK_H
#define AWAITC_BASE_CHECK_H

/* Number of elements of an array (not of a pointer). */
#define COUNTOF(array) (sizeof(array) / sizeof((array)[0]))

/* Ends the process with `file:line: internal error: text`. Never returns. */
_Noreturn void awc_fail(const char *file, int line, const char *text);

/* Ends the process when `cond` is false; stays on in release builds: a wrong lowering is worse. */
#define AWC_ASSERT(cond)  ((cond) ? (void)0 : awc_fail(__FILE__, __LINE__, #cond))
#define AWC_UNREACHABLE() awc_fail(__FILE__, __LINE__, "unreachable")

#endif
