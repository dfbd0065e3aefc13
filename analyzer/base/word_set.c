/* SPDX-License-Identifier: MIT */
/*
 * How are words found? Hashed eight bytes at a time, linear probing, at most half full. Each slot
 * keeps its word's hash, so that words that differ are seldom compared.
 */
#include "analyzer/base/word_set.h"

static uint32_t hash_word(strview word)
{
    const uint64_t odd = 0x9E3779B97F4A7C15u;
    uint64_t h = word.len * odd;
    size_t i = 0;
    for (; word.len - i >= 8; i += 8) {
        uint64_t part;
        memcpy(&part, word.at + i, 8);
        h = (h ^ part) * odd;
        h ^= h >> 32;
    }
    uint64_t rest = 0;
    for (; i < word.len; i++)
        rest = rest << 8 | (unsigned char)word.at[i];
    h = (h ^ rest) * odd;
    return (uint32_t)(h ^ h >> 32);
}

word_set word_set_in(arena *mem)
{
    return (word_set){.mem = mem};
}

/* The word's slot, or the free one where it belongs. */
static struct word_entry *slot_of(const word_set *set, strview word, uint32_t hash)
{
    uint32_t mask = set->slot_count - 1;
    uint32_t i = hash & mask;
    while (set->slots[i].word.at != NULL &&
           (set->slots[i].hash != hash || !sv_equal(set->slots[i].word, word)))
        i = (i + 1) & mask;
    return &set->slots[i];
}

static void grow(word_set *set)
{
    word_set bigger = {.mem = set->mem, .slot_count = set->slot_count ? set->slot_count * 2 : 64};
    bigger.slots = ARENA_ARRAY(set->mem, struct word_entry, bigger.slot_count);
    for (uint32_t i = 0; i < set->slot_count; i++) {
        if (set->slots[i].word.at != NULL)
            *slot_of(&bigger, set->slots[i].word, set->slots[i].hash) = set->slots[i];
    }
    bigger.count = set->count;
    *set = bigger;
}

struct word_entry *word_set_add(word_set *set, strview word)
{
    if ((set->count + 1) * 2 > set->slot_count)
        grow(set);
    uint32_t hash = hash_word(word);
    struct word_entry *slot = slot_of(set, word, hash);
    if (slot->word.at == NULL) {
        slot->word = word;
        slot->hash = hash;
        set->count++;
    }
    return slot;
}

struct word_entry *word_set_find(const word_set *set, strview word)
{
    if (set == NULL || set->slot_count == 0)
        return NULL;
    struct word_entry *slot = slot_of(set, word, hash_word(word));
    return slot->word.at == NULL ? NULL : slot;
}
