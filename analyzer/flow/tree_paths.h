/* SPDX-License-Identifier: MIT */
/*
 * Is there a way from here to there, past nothing of a given kind, and which decisions does it
 * take? Breadth-first over the blocks of a tree_cfg, so that the way found has the fewest. Each
 * query takes time linear in what it visits; the room for it is kept between queries.
 */
#ifndef AWAITC_FLOW_TREE_PATHS_H
#define AWAITC_FLOW_TREE_PATHS_H

#include "analyzer/flow/tree_cfg.h"

typedef struct tree_paths tree_paths;

tree_paths *tree_paths_new(arena *mem, const tree_cfg *g);

enum tree_step {
    TREE_GO_ON,
    TREE_STOP, /* no way leads past this item */
    TREE_FOUND /* this is where to go */
};

struct tree_path_query {
    uint32_t from; /* the item behind which the ways begin; TREE_NONE: at the entry */
    bool to_exit;  /* the exit is a place to go to, too */
    /* What this item is on a way. */
    enum tree_step (*visit)(void *context, uint32_t item);
    /* May a way take this edge? NULL: any. */
    bool (*edge)(void *context, const struct tree_edge *edge);
    void *context;
};

struct tree_path {
    bool found;
    uint32_t item;               /* that was found; TREE_NONE: the exit */
    struct tree_edge_list edges; /* all edges on the way, in order; see tree_path_decides */
};

/* The way with the fewest edges; its list lives in mem. The way may come back to `from` itself. */
struct tree_path tree_paths_find(arena *mem, tree_paths *p, const struct tree_path_query *query);

/* Is there a way from behind item `from` to item `to` that passes no item for which stop holds?
 * `to` itself is not asked for. stop may be NULL. */
bool tree_paths_reach(tree_paths *p, uint32_t from, uint32_t to,
                      bool (*stop)(void *context, uint32_t item), void *context);

/* Is this edge worth a line in a message: one of several ways that a condition decides? */
bool tree_path_decides(const struct tree_edge *edge);

#endif
