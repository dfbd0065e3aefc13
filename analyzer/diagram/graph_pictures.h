/* SPDX-License-Identifier: MIT */
/*
 * Which pictures does a set of graphs need? One for each function, laid out by itself, so that a
 * small function does not change because a large one stands beside it; or one for the calls.
 */
#ifndef AWAITC_DIAGRAM_GRAPH_PICTURES_H
#define AWAITC_DIAGRAM_GRAPH_PICTURES_H

#include "analyzer/diagram/graph_set.h"
#include "analyzer/diagram/graph_svg.h"

/* The DOT of one function in the set's view (VIEW_CALLS: of all). */
const char *graph_dot_of(const graph_set *set, uint32_t function);

/* A stand-alone SVG document: the pictures below each other. false with *failure. */
bool graph_svg_document(const graph_set *set, strbuf *out, const char **failure);

#endif
