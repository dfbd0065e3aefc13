/* SPDX-License-Identifier: MIT */
/*
 * How did the user write it? The lowering works on preprocessed text; people want to read their
 * own: macros unexpanded, comments gone, on one line. Holds the texts of the sources, finds pieces
 * of them by place, and falls back to the preprocessed text where a file cannot be read, or the
 * piece lies within a macro.
 */
#ifndef AWAITC_DIAGRAM_SOURCE_TEXT_H
#define AWAITC_DIAGRAM_SOURCE_TEXT_H

#include "analyzer/ir/machine.h"

struct source_text {
    const char *path;     /* as places name it */
    const char *shown;    /* as pictures name it: relative, the same on every machine */
    strview text;         /* at NULL: could not be read */
    uint32_t *line_start; /* [line - 1]: byte offset */
    uint32_t line_count;
};

typedef struct source_table {
    arena *mem;
    VEC(struct source_text) files;
    strview (*read)(void *context, const char *path); /* at NULL: cannot */
    void *context;
    const char *base; /* the directory that shown names are relative to, without the last slash */
} source_table;

/* The entry of a file; reads it at first. */
const struct source_text *source_get(source_table *table, const char *path);

/* A line without its line break; empty where there is none. */
strview source_line(const struct source_text *file, uint32_t line);

/* The piece as the user wrote it: one line, blanks and comments between tokens one blank. */
const char *source_snippet(source_table *table, const struct machine_text *piece);

/* At most `limit` characters, with an ellipsis in place of what is left out at the end. */
const char *source_shorten(arena *mem, const char *text, size_t limit);

#endif
