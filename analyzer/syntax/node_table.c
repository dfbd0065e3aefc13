/* SPDX-License-Identifier: MIT */
/* The table of node_table.h: open addressing by address, at most half full. */
#include "analyzer/syntax/node_table.h"

static uint32_t slot_of(const struct node_table *table, const ast_node *n)
{
    uint32_t mask = table->slot_count - 1;
    uint32_t slot = (uint32_t)(((uintptr_t)n >> 4) * 2654435761u) & mask;
    while (table->keys[slot] != NULL && table->keys[slot] != n)
        slot = (slot + 1) & mask;
    return slot;
}

static void grow(arena *mem, struct node_table *table)
{
    struct node_table larger = {.slot_count = table->slot_count == 0 ? 16 : table->slot_count * 2,
                                .count = table->count};
    larger.keys = ARENA_ARRAY(mem, const ast_node *, larger.slot_count);
    larger.values = ARENA_ARRAY(mem, void *, larger.slot_count);
    for (uint32_t i = 0; i < table->slot_count; i++) {
        if (table->keys[i] == NULL)
            continue;
        uint32_t slot = slot_of(&larger, table->keys[i]);
        larger.keys[slot] = table->keys[i];
        larger.values[slot] = table->values[i];
    }
    *table = larger;
}

void **node_table_at(arena *mem, struct node_table *table, const ast_node *n)
{
    if ((table->count + 1) * 2 > table->slot_count)
        grow(mem, table);
    uint32_t slot = slot_of(table, n);
    if (table->keys[slot] == NULL) {
        table->keys[slot] = n;
        table->count++;
    }
    return &table->values[slot];
}
