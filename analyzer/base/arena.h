/* SPDX-License-Identifier: MIT */
/*
 * Where does the tool's memory come from? A bump allocator: everything that belongs to one
 * translation unit is allocated here and released at once. Exhaustion ends the process with one
 * line, so that callers never test for NULL.
 */
#ifndef AWAITC_BASE_ARENA_H
#define AWAITC_BASE_ARENA_H

#include <stddef.h>

#include "analyzer/base/strview.h"

typedef struct arena arena;

/* A new empty arena, owned by the caller. */
arena *arena_create(void);

/* Frees *a and all that was allocated from it, sets *a to NULL; accepts NULL. */
void arena_destroy(arena **a);

/* Zeroed memory of `size` bytes, aligned for any type; lives as long as the arena. */
void *arena_alloc(arena *a, size_t size);

/* Gives back what the last allocation, `p` of `size` bytes, holds behind its first `needed` ones,
 * which must be as it was handed out; does nothing if something was allocated since. */
void arena_trim(arena *a, const void *p, size_t size, size_t needed);

/* A copy of `size` bytes. */
void *arena_copy(arena *a, const void *bytes, size_t size);

/* A NUL-terminated copy of `len` bytes of text. */
char *arena_strndup(arena *a, const char *text, size_t len);

/* The texts one behind the other, NUL-terminated: what "%.*s%.*s" gives, without a format. */
char *arena_join(arena *a, const strview *parts, size_t count);
#define ARENA_JOIN(a, ...)                                                                         \
    arena_join((a), (const strview[]){__VA_ARGS__},                                                \
               sizeof((const strview[]){__VA_ARGS__}) / sizeof(strview))

/* printf into the arena. */
char *arena_printf(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Bytes handed out so far. */
size_t arena_used_bytes(const arena *a);

/* One zeroed object of a type, and an array of them. */
#define ARENA_NEW(a, type)          ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, count) ((type *)arena_alloc((a), sizeof(type) * (size_t)(count)))

#endif
