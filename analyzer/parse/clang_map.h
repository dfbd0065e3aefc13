/* SPDX-License-Identifier: MIT */
/*
 * What is known at this place? A hash table from a 64-bit key (an offset, an extent, the address
 * of a libclang object) to a number above 0; open addressing, linear probing, in an arena.
 */
#ifndef AWAITC_PARSE_CLANG_MAP_H
#define AWAITC_PARSE_CLANG_MAP_H

#include <stdint.h>

#include "analyzer/base/arena.h"
#include "analyzer/base/strview.h"

struct clang_map {
    uint64_t *keys;
    uint32_t *values; /* 0: the slot is free */
    uint32_t capacity, count;
};

/* The value of a key, or 0. */
uint32_t clang_map_get(const struct clang_map *m, uint64_t key);

/* Sets the value (not 0) of a key. */
void clang_map_set(arena *mem, struct clang_map *m, uint64_t key, uint32_t value);

static inline uint64_t clang_map_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ (hash >> 29);
}

static inline uint64_t clang_map_hash_text(strview text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
