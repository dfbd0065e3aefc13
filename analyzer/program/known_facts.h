/* SPDX-License-Identifier: MIT */
/*
 * What does the linter know of functions that it never sees? Tables of facts: those of rules/data,
 * which are part of the binary, and those of the user's facts files. This is the holder of all
 * tables; each known_NAME.h has the rows of one and how to look them up.
 *
 *     rules/data/NAME.tsv --build--> known_data.def --known_facts_new--> known_facts
 *     the user's x.tsv    --known_facts_add_file------------------------^
 *
 * Load everything first, look up afterwards: loading moves rows, so pointers to rows are valid from
 * the last load on, as long as the arena. Lookups change nothing; any number of threads may make
 * them at once.
 */
#ifndef AWAITC_PROGRAM_KNOWN_FACTS_H
#define AWAITC_PROGRAM_KNOWN_FACTS_H

#include <stdbool.h>

#include "analyzer/base/arena.h"
#include "analyzer/base/strview.h"
#include "analyzer/diag/diag.h"

typedef struct known_facts known_facts;

/* The built-in tables, in `mem`. */
known_facts *known_facts_new(arena *mem);

/*
 * Adds the rows of one facts file. Its header line says which table they belong to, and with which
 * columns; a file without header has all columns of blocking.tsv. Rows replace all rows of the same
 * name that were there before.
 *
 * file  its name, for messages; copied, as is text.
 *
 * False if anything in it is wrong (reported to `sink` by line and column); its sound rows count.
 */
bool known_facts_add_text(known_facts *facts, const char *file, strview text, diag_sink *sink);

/* The same for a file; false also if it cannot be read. */
bool known_facts_add_file(known_facts *facts, const char *path, diag_sink *sink);

#endif
