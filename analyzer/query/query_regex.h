/* SPDX-License-Identifier: MIT */
/*
 * The regular expressions of #match?, in the spelling that users of tree-sitter know, as POSIX
 * extended ones: \d \w \s inside and outside brackets, (?:...), lazy quantifiers, (?i) in front.
 */
#ifndef AWAITC_QUERY_QUERY_REGEX_H
#define AWAITC_QUERY_QUERY_REGEX_H

#include <stdbool.h>

#include "analyzer/base/arena.h"
#include "analyzer/base/strview.h"

typedef struct query_regex query_regex;

/* A compiled expression, to be freed; NULL, and in *why what is wrong (in `mem`), if it is none. */
query_regex *query_regex_compile(arena *mem, strview pattern, const char **why);

/* Is it found anywhere in the text? '^' and '$' are the text's ends. Safe from several threads. */
bool query_regex_matches(query_regex *regex, strview text);

/* Accepts NULL. */
void query_regex_free(query_regex *regex);

#endif
