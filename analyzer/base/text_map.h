/* SPDX-License-Identifier: MIT */
/*
 * What belongs to this name? A map from texts to pointers, in an arena; nothing is ever removed.
 */
#ifndef AWAITC_BASE_TEXT_MAP_H
#define AWAITC_BASE_TEXT_MAP_H

#include "analyzer/base/arena.h"

typedef struct text_map {
    arena *mem;
    struct text_map_slot *slots; /* NULL while the map is empty */
    size_t slot_count, count;
} text_map;

/* An empty map in `mem`. */
text_map text_map_in(arena *mem);

/*
 * Where the value of `name` is kept: NULL in it if the name is new, then the map has its own copy
 * of it. Valid until the next call.
 */
void **text_map_at(text_map *map, const char *name);

/* The value, or NULL; does not add the name. */
void *text_map_get(const text_map *map, const char *name);

#endif
