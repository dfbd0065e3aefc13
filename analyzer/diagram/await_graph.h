/* SPDX-License-Identifier: MIT */
/*
 * Who awaits whom, over all files given? Nodes are async functions, plain functions that start
 * async work, and what they call that is not defined here: leaves of the runtime, functions of
 * other files, pointers. Edges are awaits, spawns and the way in from plain code, with their count.
 *
 * A function's deep size is what its frame stack may need: its own frame and the deepest of what it
 * awaits. Recursion has no bound; what is not defined here counts as a leaf, so the size is a lower
 * bound then.
 */
#ifndef AWAITC_DIAGRAM_AWAIT_GRAPH_H
#define AWAITC_DIAGRAM_AWAIT_GRAPH_H

#include "analyzer/diagram/state_graph.h"

enum await_node_kind { AWAIT_ASYNC, AWAIT_PLAIN, AWAIT_UNDEFINED, AWAIT_LEAF, AWAIT_POINTER };

struct await_node {
    enum await_node_kind kind;
    const char *name;
    const char *id;   /* "f3": unique, an identifier */
    const char *what; /* LEAF: its kind of wait */
    const machine *m; /* ASYNC, PLAIN */
    uint32_t unit;
    const struct source_text *file;
    uint32_t line;
    uint64_t own_bytes, deep_bytes; /* ASYNC */
    bool is_unbounded;              /* recursion is reached */
    bool is_at_least;               /* something unknown is reached */
    uint32_t worst;                 /* the callee on the deepest way; AIR_NONE */
    uint32_t cycle;                 /* the recursion that it is part of, from 1; 0: none */
    bool may_block;                 /* its thread: a finding or the facts of a linter say so */
    const char *blocks_in;          /* the function that waits in the end; NULL: not known */
    VEC(const struct graph_finding *) findings;
};

enum await_edge_kind { EDGE_AWAIT, EDGE_SPAWN, EDGE_BLOCK_ON };

struct await_edge {
    uint32_t from, to;
    enum await_edge_kind kind;
    const char *form; /* "aw_race": the group that it is a branch of; NULL */
    bool is_embedded; /* the callee's room is part of the caller's */
    uint32_t count;
    uint32_t first_line;
};

typedef struct await_graph {
    arena *mem;
    VEC(struct await_node) nodes; /* defined ones in source order, then the others by first use */
    VEC(struct await_edge) edges; /* by from, to, kind, form */
    uint32_t cycle_count;
} await_graph;

/* Of the units' functions; `sources` as for the state graphs. */
await_graph *await_graph_build(arena *mem, const machine_list *units, uint32_t unit_count,
                               source_table *sources);

/* Attaches a finding to the function that its line belongs to. */
void await_graph_add_finding(await_graph *g, const struct graph_finding *finding);

/* "main > serve > refuse": the way down to the deepest frame. */
const char *await_graph_worst_way(const await_graph *g, uint32_t node);

#endif
