/* SPDX-License-Identifier: MIT */
/*
 * How are the keys spread? Multiplied by an odd constant, top bits taken (Fibonacci hashing, Knuth
 * vol. 3, 6.4); the table is never more than half full, so a miss ends after a step or two.
 */
#include "analyzer/parse/clang_map.h"

enum { FIRST_CAPACITY = 256 };

static uint32_t slot_of(const struct clang_map *m, uint64_t key)
{
    uint64_t hash = clang_map_mix(UINT64_C(0x51ed270b), key);
    uint32_t i = (uint32_t)(hash >> 32) & (m->capacity - 1);
    while (m->values[i] != 0 && m->keys[i] != key)
        i = (i + 1) & (m->capacity - 1);
    return i;
}

static void grow(arena *mem, struct clang_map *m)
{
    struct clang_map old = *m;
    m->capacity = old.capacity == 0 ? FIRST_CAPACITY : old.capacity * 2;
    m->keys = ARENA_ARRAY(mem, uint64_t, m->capacity);
    m->values = ARENA_ARRAY(mem, uint32_t, m->capacity);
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (old.values[i] == 0)
            continue;
        uint32_t slot = slot_of(m, old.keys[i]);
        m->keys[slot] = old.keys[i];
        m->values[slot] = old.values[i];
    }
}

uint32_t clang_map_get(const struct clang_map *m, uint64_t key)
{
    return m->capacity == 0 ? 0 : m->values[slot_of(m, key)];
}

void clang_map_set(arena *mem, struct clang_map *m, uint64_t key, uint32_t value)
{
    if (m->count * 2 >= m->capacity)
        grow(mem, m);
    uint32_t slot = slot_of(m, key);
    if (m->values[slot] == 0)
        m->count++;
    m->keys[slot] = key;
    m->values[slot] = value;
}
