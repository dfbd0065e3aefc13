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

/* "n <= 0"; "case 3, case 4"; "on return". */
const char *condition_answer(source_table *sources, const machine *m, const struct path_answer *a);

/* All cases: in full, a line each; or short, for a picture. "" where nothing is asked. */
const char *condition_label(source_table *sources, const machine *m, const path_cases *cases,
                            bool is_short);

#endif
