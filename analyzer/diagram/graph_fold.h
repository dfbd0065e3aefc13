/* SPDX-License-Identifier: MIT */
/*
 * Which nodes does a picture show by themselves? All, up to GRAPH_DETAIL_STATES. Above that,
 * neighbours fold: a summary first, and each part of it on demand (--states=12-47).
 */
#ifndef AWAITC_DIAGRAM_GRAPH_FOLD_H
#define AWAITC_DIAGRAM_GRAPH_FOLD_H

#include "analyzer/diagram/graph_set.h"

enum fold_kind {
    FOLD_ONE,  /* a node as it is */
    FOLD_MANY, /* states first .. last in one */
    FOLD_STUB  /* a neighbour of what is shown: its name only */
};

struct fold_node {
    enum fold_kind kind;
    uint32_t node;                    /* ONE, STUB: index in the graph; MANY: of its first one */
    uint32_t first_state, last_state; /* MANY */
    uint32_t count;                   /* states */
    uint64_t kept_bytes;              /* the most that one keeps */
};

struct fold_edge {
    uint32_t from, to; /* fold nodes */
    uint32_t edge;     /* the first one that it stands for */
    uint32_t count;
    uint64_t passes; /* --run: of all of them */
};

typedef struct graph_fold {
    VEC(struct fold_node) nodes;
    VEC(struct fold_edge) edges;
    uint32_t *of; /* [node of the graph]: its fold node, or AIR_NONE: not shown */
    bool is_summary;
} graph_fold;

graph_fold graph_fold_of(const graph_set *set, const state_graph *g);

#endif
