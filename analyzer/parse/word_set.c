/* SPDX-License-Identifier: MIT */
/*
 * How are words found? FNV-1a, linear probing, at most half full.
 */
#include "analyzer/parse/word_set.h"

static uint32_t hash_word(strview word)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < word.len; i++)
        h = (h ^ (unsigned char)word.at[i]) * 16777619u;
    return h;
}

word_set word_set_in(arena *mem)
{
    return (word_set){.mem = mem};
}

/* The word's slot, or the free one where it belongs. */
static struct word_entry *slot_of(const word_set *set, strview word)
{
    uint32_t mask = set->slot_count - 1;
    uint32_t i = hash_word(word) & mask;
    while (set->slots[i].word.at != NULL && !sv_equal(set->slots[i].word, word))
        i = (i + 1) & mask;
    return &set->slots[i];
}

static void grow(word_set *set)
{
    word_set bigger = {.mem = set->mem, .slot_count = set->slot_count ? set->slot_count * 2 : 64};
    bigger.slots = ARENA_ARRAY(set->mem, struct word_entry, bigger.slot_count);
    for (uint32_t i = 0; i < set->slot_count; i++) {
        if (set->slots[i].word.at != NULL)
            *slot_of(&bigger, set->slots[i].word) = set->slots[i];
    }
    bigger.count = set->count;
    *set = bigger;
}

struct word_entry *word_set_add(word_set *set, strview word)
{
    if ((set->count + 1) * 2 > set->slot_count)
        grow(set);
    struct word_entry *slot = slot_of(set, word);
    if (slot->word.at == NULL) {
        slot->word = word;
        set->count++;
    }
    return slot;
}

struct word_entry *word_set_find(const word_set *set, strview word)
{
    if (set == NULL || set->slot_count == 0)
        return NULL;
    struct word_entry *slot = slot_of(set, word);
    return slot->word.at == NULL ? NULL : slot;
}
