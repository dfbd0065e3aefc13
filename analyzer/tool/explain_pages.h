/* SPDX-License-Identifier: MIT */
/* What do the pages of the checks and of the lowering's errors say? `awaitc explain` prints them,
 * reports carry them. */
#ifndef AWAITC_TOOL_EXPLAIN_PAGES_H
#define AWAITC_TOOL_EXPLAIN_PAGES_H

#include <stdbool.h>

#include "analyzer/base/arena.h"

/* The id without "awaitc-". */
const char *rule_short_name(const char *id);
/* Prints the page of an error and that of a check of this id (with prefix or without), to standard
 * output; false if there is none. */
bool explain_print(const char *id);
/* The page of a check of the linter, in Markdown; NULL if there is none. */
const char *explain_rule_page(arena *mem, const char *id);

#endif
