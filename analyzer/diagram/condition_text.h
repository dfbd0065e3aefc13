/* SPDX-License-Identifier: MIT */
/*
 * What does a label on an edge say? The answers along a way, in the user's own words: a condition
 * or its opposite, the cases of a switch, why a clean-up runs.
 */
#ifndef AWAITC_DIAGRAM_CONDITION_TEXT_H
#define AWAITC_DIAGRAM_CONDITION_TEXT_H

#include "analyzer/diagram/source_text.h"
#include "analyzer/diagram/state_paths.h"

/* "n > 0" for "n <= 0" where that is sure (`is_comparison`), "!done", "!(a && b)". */
const char *condition_opposite(arena *mem, const char *text, bool is_comparison);

/* All cases in full, a line each; "" where nothing is asked. */
const char *condition_full(source_table *sources, const machine *m, const path_cases *cases);

/* Short, for a picture: what tells a way from its neighbours, after "else if" where that leaves
 * answers out. question: what stands in the node that the way leaves, so that "yes" and "no" answer
 * it; or NULL. */
const char *condition_short(source_table *sources, const machine *m, const path_cases *cases,
                            const char *question);

#endif
