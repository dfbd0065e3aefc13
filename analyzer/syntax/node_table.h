/* SPDX-License-Identifier: MIT */
/*
 * What is known of this node? A table from nodes to pointers, in an arena, for analyses that keep
 * something for a few nodes of many.
 */
#ifndef AWAITC_SYNTAX_NODE_TABLE_H
#define AWAITC_SYNTAX_NODE_TABLE_H

#include "analyzer/syntax/ast.h"

/* All zero bytes is the empty table. */
struct node_table {
    const ast_node **keys; /* NULL: free */
    void **values;
    uint32_t slot_count, count;
};

/* The place of a node's value, which starts as NULL; valid until the next call. */
void **node_table_at(arena *mem, struct node_table *table, const ast_node *n);

#endif
