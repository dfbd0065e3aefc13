/* SPDX-License-Identifier: MIT */
/* Open addressing with linear probing, at most half full; the hash is FNV-1a. */
#include "analyzer/base/text_map.h"

#include <stdint.h>
#include <string.h>

struct text_map_slot {
    const char *name; /* NULL: free */
    void *value;
};

text_map text_map_in(arena *mem)
{
    return (text_map){.mem = mem};
}

static size_t hash_of(const char *name)
{
    uint64_t h = 14695981039346656037u;
    for (; *name != '\0'; name++)
        h = (h ^ (unsigned char)*name) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

/* The slot that has the name, or the free one where it belongs. */
static struct text_map_slot *slot_of(const text_map *map, const char *name)
{
    size_t i = hash_of(name) & (map->slot_count - 1);
    while (map->slots[i].name != NULL && strcmp(map->slots[i].name, name) != 0)
        i = (i + 1) & (map->slot_count - 1);
    return &map->slots[i];
}

static void grow(text_map *map)
{
    const struct text_map_slot *old = map->slots;
    size_t old_count = map->slot_count;
    map->slot_count = old_count == 0 ? 32 : old_count * 2;
    map->slots = ARENA_ARRAY(map->mem, struct text_map_slot, map->slot_count);
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].name != NULL)
            *slot_of(map, old[i].name) = old[i];
    }
}

void **text_map_at(text_map *map, const char *name)
{
    if (map->count * 2 >= map->slot_count)
        grow(map);
    struct text_map_slot *slot = slot_of(map, name);
    if (slot->name == NULL) {
        slot->name = arena_strndup(map->mem, name, strlen(name));
        map->count++;
    }
    return &slot->value;
}

void *text_map_get(const text_map *map, const char *name)
{
    return map->slot_count == 0 ? NULL : slot_of(map, name)->value;
}
