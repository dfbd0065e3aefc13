/* SPDX-License-Identifier: MIT */
/*
 * How do lists grow? A typed array in an arena: `VEC(struct token) tokens;` is a struct with
 * `at`, `count` and `capacity`; all zero bytes is the empty list. Growing leaves the old array to
 * the arena, so indices stay valid and pointers into the array do not.
 */
#ifndef AWAITC_BASE_VEC_H
#define AWAITC_BASE_VEC_H

#include <stdint.h>
#include <string.h>

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

/*
 * The last element that begins at or before `value`, of a list that ascends: its index, at least
 * `from`, also where none does. `field` is the offset of the uint32_t that is compared.
 */
static inline size_t vec_find_last(const void *at, size_t elem_bytes, size_t field, size_t from,
                                   size_t count, uint32_t value)
{
    size_t low = from, high = count;
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        uint32_t begin;
        memcpy(&begin, (const char *)at + middle * elem_bytes + field, sizeof begin);
        if (begin <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
