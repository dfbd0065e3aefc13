/* SPDX-License-Identifier: MIT */
/*
 * What do earlier runs and other tools add to the graphs? A JSON that `awaitc graph` wrote before
 * (--diff): which states are new or gone, which frames grew. A SARIF log or facts of the linter
 * (--lint): findings to mark, functions that may block. What a program has
 * recorded (--run) is read by run_input.c.
 */
#ifndef AWAITC_TOOL_GRAPH_INPUT_H
#define AWAITC_TOOL_GRAPH_INPUT_H

#include "analyzer/diagram/graph_set.h"
#include "analyzer/tool/options.h"

/* Does a path, or a file: URI, of somebody else's name this file? */
bool graph_input_is_file(const struct source_text *file, const char *uri);

/* Reads what the options name. An exit status, 0 or 2; *growth gets 1 if a frame grew by more than
 * --fail-on-growth allows, with a line on standard error for each. */
int graph_input_read(arena *mem, const options *opts, graph_set *set, int *growth);

/* Does a path that another tool wrote name this file? */
bool graph_input_is_file(const struct source_text *file, const char *path);

#endif
