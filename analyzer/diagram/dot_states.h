/* SPDX-License-Identifier: MIT */
/*
 * What do the parts of the states view share? The job of drawing one function, nodes with their
 * labels (dot_nodes.c), edges with what stands on them (dot_edges.c). dot_states.c puts them
 * together.
 */
#ifndef AWAITC_DIAGRAM_DOT_STATES_H
#define AWAITC_DIAGRAM_DOT_STATES_H

#include "analyzer/diagram/dot_text.h"
#include "analyzer/diagram/graph_fold.h"

/* What stands on an edge. It is a node of its own that the edge passes through: so the layout gives
 * it a place, and nothing lies over it. */
struct edge_word {
    const char *condition, *cleanups, *passes; /* "": none */
    uint32_t scope; /* the loop or switch in which it stands, or AIR_NONE */
    uint32_t owner; /* the fold edge at which it is drawn: cancels with the same clean-ups meet */
};

struct dot_job {
    const graph_set *set;
    const state_graph *g;
    const graph_fold *fold;
    uint32_t index; /* of the function */
    strbuf *out;
    struct edge_word *words; /* [fold edge] */
};

/* Prints a node; copy: "", or what tells one of several drawings of it from the others. */
void dot_node(struct dot_job *j, uint32_t index, const char *copy);
/* "+ added", ... */
const char *dot_change_word(enum graph_change change);

/* Finds what stands on each edge. */
void dot_edge_words(struct dot_job *j);
/* Prints those that stand in a scope. */
void dot_words(struct dot_job *j, uint32_t scope);
void dot_edges(struct dot_job *j);
/* Of an await whose two ways are drawn: where they part and meet, and what stands on them. */
void dot_ready_nodes(struct dot_job *j, uint32_t index);
/* Is this end drawn once for each edge that leads to it? Hundreds of long edges to one node hide
 * the rest, and take a layout minutes. */
bool dot_is_repeated(const struct dot_job *j, uint32_t index);

#endif
