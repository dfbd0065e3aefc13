/* SPDX-License-Identifier: MIT */
/*
 * What do the built-in facts say of a function? `awaitc rules --facts WORD...` prints the facts
 * that have all the words in their name, library, header, reason or advice, in any case of letters.
 */
#ifndef AWAITC_TOOL_FACTS_SEARCH_H
#define AWAITC_TOOL_FACTS_SEARCH_H

#include <stddef.h>
#include <stdio.h>

/*
 * Prints the facts that match to `to`; all where there are no words.
 *
 * words  [count], borrowed.
 *
 * How many matched.
 */
size_t facts_search_print(char *const *words, size_t count, FILE *to);

#endif
