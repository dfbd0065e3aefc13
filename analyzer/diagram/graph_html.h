/* SPDX-License-Identifier: MIT */
/*
 * One page with everything: pictures of all views, the sources beside them, search, zoom, and a way
 * from a state to its line and back. No network, no server, no file beside it.
 */
#ifndef AWAITC_DIAGRAM_GRAPH_HTML_H
#define AWAITC_DIAGRAM_GRAPH_HTML_H

#include "analyzer/diagram/graph_set.h"

/* false with *failure: Graphviz is missing, or cannot draw. */
bool graph_html(const graph_set *set, strbuf *out, const char **failure);

#endif
