/* SPDX-License-Identifier: MIT */
/*
 * Which locals, which blocks? A dense set of small numbers, of fixed capacity, in an arena.
 */
#ifndef AWAITC_BASE_BITSET_H
#define AWAITC_BASE_BITSET_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/arena.h"

typedef struct bitset {
    uint64_t *words;
    uint32_t word_count;
} bitset;

/* The empty set over 0 .. capacity-1. */
bitset bitset_new(arena *a, uint32_t capacity);
void bitset_add(bitset *s, uint32_t i);
void bitset_remove(bitset *s, uint32_t i);
bool bitset_has(const bitset *s, uint32_t i);
void bitset_clear(bitset *s);
void bitset_copy(bitset *to, const bitset *from);
/* to |= from; true if `to` grew. Both have the same capacity. */
bool bitset_union(bitset *to, const bitset *from);
/* to &= ~from. */
void bitset_minus(bitset *to, const bitset *from);
bool bitset_equal(const bitset *a, const bitset *b);
bool bitset_is_empty(const bitset *s);
uint32_t bitset_count(const bitset *s);
/* The smallest member >= from, or UINT32_MAX. */
uint32_t bitset_next(const bitset *s, uint32_t from);

/* Visits the members in ascending order. */
#define BITSET_FOR_EACH(i, s)                                                                      \
    for (uint32_t i = bitset_next((s), 0); i != UINT32_MAX; i = bitset_next((s), i + 1))

#endif
