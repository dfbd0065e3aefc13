/* SPDX-License-Identifier: MIT */
/*
 * How are the facts of a source kept? As lines of tab-separated fields, the first of which says
 * what the line is, in the order in which a walk over unit_facts meets them; so equal facts are
 * equal bytes, and a diff of two facts files can be read.
 *
 *     awaitc-facts  VERSION  PATH
 *     depends       FILE
 *     function      NAME  FILE  LINE  COLUMN  FLAGS  STATED  PARAMS
 *     call          ...                           of the function above
 *     arg           KIND  NUMBER  TEXT  KEY       of the call above; also `result` of the function
 *     held          KEY                           of the call above
 *     store         KEY  FUNCTION  FILE  LINE  COLUMN  KIND  NUMBER  TEXT  KEY
 *     address       NAME
 *     mark          TEXT                          what checks tell each other
 *     finding       ...  then its step, fix and edit lines
 *     nolint        ...                           as suppress.h writes them
 *     end
 *
 * In fields, tab, line end, backslash are \t, \n, \\; a field that is not there is \0.
 */
#ifndef AWAITC_PROGRAM_FACTS_IO_H
#define AWAITC_PROGRAM_FACTS_IO_H

#include "analyzer/base/strbuf.h"
#include "analyzer/program/unit_facts.h"

/* Appends the facts as text. */
void facts_write(const struct unit_facts *facts, strbuf *out);

/*
 * Reads the facts of a text (a file may hold those of several sources, one behind the other).
 *
 * at     where the next facts begin; moves behind their `end`.
 * error  receives what is wrong, with *line, 1-based in the whole text.
 *
 * NULL at the end of the text, with *error NULL, or if it is broken. Strings are in `mem`.
 */
struct unit_facts *facts_read(arena *mem, strview text, size_t *at, uint32_t *line,
                              const char **error);

#endif
