/* SPDX-License-Identifier: MIT */
/* Where does the runtime's memory come from? Here, so that a test can refuse it. */
#ifndef AWAITC_RUNTIME_SYS_ALLOC_H
#define AWAITC_RUNTIME_SYS_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* `bytes` uninitialised bytes, aligned to 16; NULL if there are none. */
void *awi_alloc(size_t bytes);
/* Frees what awi_alloc gave; NULL is allowed. */
void awi_free(void *memory);

/* For tests: asked before every allocation; false refuses it. NULL: none. Set it while no other
 * thread allocates. */
extern bool (*awi_alloc_hook)(size_t bytes);

#endif
