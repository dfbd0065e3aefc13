/* SPDX-License-Identifier: MIT */
/* Growth of the lists of vec.h: by doubling, from eight elements. */
#include "analyzer/base/vec.h"

#include <string.h>

void vec_reserve_one(arena *a, void **at, size_t count, size_t *capacity, size_t elem_bytes)
{
    if (count < *capacity)
        return;
    size_t grown = *capacity == 0 ? 8 : *capacity * 2;
    void *moved = arena_alloc(a, grown * elem_bytes);
    void *old;
    memcpy(&old, at, sizeof old);
    if (count != 0)
        memcpy(moved, old, count * elem_bytes);
    memcpy(at, &moved, sizeof moved);
    *capacity = grown;
}
