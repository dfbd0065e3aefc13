/* SPDX-License-Identifier: MIT */
/* The dense sets of bitset.h, 64 members a word. */
#include "analyzer/base/bitset.h"

#include <string.h>

#include "analyzer/base/check.h"

bitset bitset_new(arena *a, uint32_t capacity)
{
    bitset s = {.word_count = (capacity + 63) / 64};
    s.words = ARENA_ARRAY(a, uint64_t, s.word_count);
    return s;
}

void bitset_add(bitset *s, uint32_t i)
{
    AWC_ASSERT(i / 64 < s->word_count);
    s->words[i / 64] |= UINT64_C(1) << (i % 64);
}

void bitset_remove(bitset *s, uint32_t i)
{
    AWC_ASSERT(i / 64 < s->word_count);
    s->words[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

bool bitset_has(const bitset *s, uint32_t i)
{
    return i / 64 < s->word_count && (s->words[i / 64] >> (i % 64) & 1) != 0;
}

void bitset_clear(bitset *s)
{
    for (uint32_t w = 0; w < s->word_count; w++)
        s->words[w] = 0;
}

void bitset_copy(bitset *to, const bitset *from)
{
    AWC_ASSERT(to->word_count == from->word_count);
    for (uint32_t w = 0; w < to->word_count; w++)
        to->words[w] = from->words[w];
}

bool bitset_union(bitset *to, const bitset *from)
{
    AWC_ASSERT(to->word_count == from->word_count);
    uint64_t grew = 0;
    for (uint32_t w = 0; w < to->word_count; w++) {
        grew |= from->words[w] & ~to->words[w];
        to->words[w] |= from->words[w];
    }
    return grew != 0;
}

void bitset_minus(bitset *to, const bitset *from)
{
    AWC_ASSERT(to->word_count == from->word_count);
    for (uint32_t w = 0; w < to->word_count; w++)
        to->words[w] &= ~from->words[w];
}

bool bitset_equal(const bitset *a, const bitset *b)
{
    AWC_ASSERT(a->word_count == b->word_count);
    return a->word_count == 0 || memcmp(a->words, b->words, a->word_count * sizeof *a->words) == 0;
}

bool bitset_is_empty(const bitset *s)
{
    for (uint32_t w = 0; w < s->word_count; w++) {
        if (s->words[w] != 0)
            return false;
    }
    return true;
}

uint32_t bitset_count(const bitset *s)
{
    uint32_t count = 0;
    for (uint32_t w = 0; w < s->word_count; w++)
        count += (uint32_t)__builtin_popcountll(s->words[w]);
    return count;
}

uint32_t bitset_next(const bitset *s, uint32_t from)
{
    for (uint32_t w = from / 64; w < s->word_count; w++) {
        uint64_t bits = s->words[w];
        if (w == from / 64)
            bits &= ~UINT64_C(0) << (from % 64);
        if (bits != 0)
            return w * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return UINT32_MAX;
}
