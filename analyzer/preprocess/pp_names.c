/* SPDX-License-Identifier: MIT */
/*
 * Which identifier is this? Each spelling has one object for the preprocessor's life, so that names
 * are compared and macros found by pointer. A hash table with open addressing; the lexer hashes
 * while it reads.
 */
#include "analyzer/preprocess/pp_private.h"

uint32_t pp_hash(strview text)
{
    uint32_t hash = 0;
    for (size_t i = 0; i < text.len; i++)
        hash = hash * 31 + (unsigned char)text.at[i];
    return hash;
}

static uint32_t slot_of(uint32_t hash, uint32_t slot_count)
{
    return (hash * UINT32_C(0x9e3779b1)) >> 7 & (slot_count - 1);
}

static void grow(struct pp_names *names)
{
    uint32_t count = names->slot_count == 0 ? 4096 : names->slot_count * 2;
    struct pp_name **slots = ARENA_ARRAY(names->mem, struct pp_name *, count);
    for (uint32_t i = 0; i < names->slot_count; i++) {
        struct pp_name *n = names->slots[i];
        if (n == NULL)
            continue;
        uint32_t s = slot_of(n->hash, count);
        while (slots[s] != NULL)
            s = (s + 1) & (count - 1);
        slots[s] = n;
    }
    names->slots = slots;
    names->slot_count = count;
}

struct pp_name *pp_names_find(struct pp_names *names, strview text, uint32_t hash)
{
    if (names->count * 2 >= names->slot_count)
        grow(names);
    uint32_t s = slot_of(hash, names->slot_count);
    for (struct pp_name *n; (n = names->slots[s]) != NULL; s = (s + 1) & (names->slot_count - 1)) {
        if (n->hash == hash && sv_equal(n->text, text))
            return n;
    }
    struct pp_name *n = ARENA_NEW(names->mem, struct pp_name);
    n->text = (strview){arena_strndup(names->mem, text.at, text.len), text.len};
    n->hash = hash;
    names->slots[s] = n;
    names->count++;
    return n;
}
