/* SPDX-License-Identifier: MIT */
/*
 * How do lists grow? A typed array in an arena: `VEC(struct token) tokens;` is a struct with
 * `at`, `count` and `capacity`; all zero bytes is the empty list. Growing leaves the old array to
 * the arena, so indices stay valid and pointers into the array do not.
 */
#ifndef AWAITC_BASE_VEC_H
#define AWAITC_BASE_VEC_H

#include "analyzer/base/arena.h"

#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *at;                                                                                  \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    }

/* Appends a value. */
#define VEC_PUSH(a, v, ...)                                                                        \
    (vec_reserve_one((a), (void **)&(v)->at, (v)->count, &(v)->capacity, sizeof *(v)->at),         \
     (void)((v)->at[(v)->count++] = (__VA_ARGS__)))

#define VEC_LAST(v) ((v)->at[(v)->count - 1])

/* Makes room for one more element of `elem_bytes` bytes; `at` points to the list's array pointer.
 */
void vec_reserve_one(arena *a, void **at, size_t count, size_t *capacity, size_t elem_bytes);

#endif
