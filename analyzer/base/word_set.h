/* SPDX-License-Identifier: MIT */
/*
 * Is this word one of those? A hash table from words to small numbers, open addressing, in an
 * arena.
 */
#ifndef AWAITC_BASE_WORD_SET_H
#define AWAITC_BASE_WORD_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/arena.h"
#include "analyzer/base/strview.h"

typedef struct word_set {
    arena *mem;
    struct word_entry *slots;
    uint32_t slot_count; /* a power of two; 0 while empty */
    uint32_t count;
} word_set;

struct word_entry {
    strview word; /* borrowed; at NULL: a free slot */
    uint32_t value;
    uint32_t hash; /* the set's own */
};

/* An empty set in `mem`. */
word_set word_set_in(arena *mem);

/* Adds the word if it is new (borrowed, not copied); its entry's value starts at 0. The entry is
 * valid until the next addition. */
struct word_entry *word_set_add(word_set *set, strview word);

/* The entry, or NULL. */
struct word_entry *word_set_find(const word_set *set, strview word);

#endif
