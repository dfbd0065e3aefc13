/* SPDX-License-Identifier: MIT */
/*
 * Which edges did a program take? The steps that it recorded (-DAW_TRACE, AWAITC_TRACE) are counted
 * at the nodes and edges of the graphs. A step that the graph has no way for is an error: then the
 * program was made from another source.
 */
#ifndef AWAITC_TOOL_RUN_INPUT_H
#define AWAITC_TOOL_RUN_INPUT_H

#include "analyzer/diagram/graph_set.h"

/*
 * Counts the steps in the file at `path` (NULL: none). An exit status: 0, or 2 with a line on
 * standard error.
 */
int run_input_read(arena *mem, const char *path, graph_set *set);

#endif
