/* SPDX-License-Identifier: MIT */
/*
 * Which functions of the graphs may block their thread, by the facts that `awaitc lint` wrote of
 * the sources (--facts-out)?
 */
#ifndef AWAITC_TOOL_GRAPH_FACTS_H
#define AWAITC_TOOL_GRAPH_FACTS_H

#include "analyzer/diagram/graph_set.h"
#include "analyzer/tool/options.h"

/*
 * Marks what the facts of all units in `text` say together; path names the text in messages.
 * Returns an exit status, 0 or 2.
 */
int graph_facts_mark(arena *mem, const options *opts, const char *path, strview text,
                     graph_set *set);

#endif
