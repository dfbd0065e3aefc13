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

/* Memory that is kept for reuse is out of bounds, under AddressSanitizer, until it is reused. */
#if defined __SANITIZE_ADDRESS__
#define AWI_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define AWI_ASAN 1
#endif
#endif
#if defined AWI_ASAN
#include <sanitizer/asan_interface.h>
#define AWI_POISON(memory, bytes)   ASAN_POISON_MEMORY_REGION(memory, bytes)
#define AWI_UNPOISON(memory, bytes) ASAN_UNPOISON_MEMORY_REGION(memory, bytes)
#else
#define AWI_POISON(memory, bytes)   ((void)(memory), (void)(bytes))
#define AWI_UNPOISON(memory, bytes) ((void)(memory), (void)(bytes))
#endif

#endif
