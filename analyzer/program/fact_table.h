/* SPDX-License-Identifier: MIT */
/*
 * How does a line of a facts file become a row in memory? One reader for all tables: a table is a
 * schema (its columns and a function that parses one row) and a growing array of rows, each of
 * which begins with a struct fact_key.
 *
 *     # comment                                  skipped, as blank lines are
 *     function <tab> why <tab> tier ...          header: names columns, and so the schema
 *     read     <tab> io-any <tab> B ...          one row
 *
 * Rows are kept sorted by name, so that looking one up is a binary search. Rows of a later file
 * replace all rows of the same name from earlier files.
 */
#ifndef AWAITC_PROGRAM_FACT_TABLE_H
#define AWAITC_PROGRAM_FACT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/arena.h"
#include "analyzer/base/strview.h"
#include "analyzer/diag/diag.h"

enum { FACT_COLUMNS_MAX = 10 };

/* First member of every row. */
struct fact_key {
    strview name;     /* what the row is about: a function, "record.field", a constant */
    const char *file; /* where it stands: the name of a built-in table, or the user's path */
    uint32_t line;
    uint32_t round; /* which load it came with; 0: built in */
};

struct fact_cx;

struct fact_schema {
    const char *name;                      /* "blocking" */
    const char *columns[FACT_COLUMNS_MAX]; /* in the order in which `parse` sees the cells */
    size_t column_count;
    uint32_t required; /* bit i: column i must be there and not be empty or "-" */
    bool many;         /* one file may hold several rows of one name */
    size_t row_bytes;
    /* Fills *row, zeroed but for its key; false after fact_error. */
    bool (*parse)(struct fact_cx *cx, void *row);
};

/* Where the reader stands; what `parse` is given. */
struct fact_cx {
    arena *mem;
    diag_sink *sink;                 /* of the user's mistakes */
    const struct known_facts *facts; /* what is loaded so far: constants */
    const char *file;
    uint32_t line;
    const struct fact_schema *schema;
    strview cells[FACT_COLUMNS_MAX]; /* by the schema's columns; "-" where a column is missing */
    uint32_t column_at[FACT_COLUMNS_MAX]; /* 1-based place of each cell in the line; 0: missing */
    bool failed;
};

/* All rows of one table. */
struct fact_rows {
    void *at;
    size_t count, capacity;
};

/* Is a cell empty: "" or "-"? */
bool fact_is_empty(strview cell);

/* Reports at a cell: "column 'tier': ...". */
void fact_error(struct fact_cx *cx, size_t column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The index of a cell's word among `words`; -1 after an error that lists them. */
int fact_word(struct fact_cx *cx, size_t column, const char *const *words, size_t count);

/* Reads decimal digits; false if the text is anything else or larger than `most`. */
bool fact_number(strview text, int most, int *out);

/* The schema that a header names (an index into `schemas`), -1 if the line is none's. */
int fact_header_find(strview line, const struct fact_schema *const *schemas, size_t count);

/* Which column of the schema each cell of a file's lines is. */
struct fact_layout {
    const struct fact_schema *schema;
    size_t cell_count;
    int column_of[FACT_COLUMNS_MAX]; /* index into the schema's columns */
};

/* The layout that a header of this schema gives; one of the schema's own order without header. */
void fact_layout_read(struct fact_layout *layout, const struct fact_schema *schema, strview line);
void fact_layout_default(struct fact_layout *layout, const struct fact_schema *schema);

/* Parses one line and appends its row; on an error cx->failed is set and nothing appended. */
void fact_read_row(struct fact_cx *cx, const struct fact_layout *layout, strview line,
                   uint32_t round, struct fact_rows *rows);

/* Sorts by name, keeps each name's rows of the latest round; only the first of them unless
 * `schema->many`. */
void fact_rows_seal(struct fact_rows *rows, const struct fact_schema *schema);

/* The first of the rows of this name, and how many there are; NULL and 0 if none. Name and row
 * size are the schema's; `rows` must be sealed. */
const void *fact_rows_find(const struct fact_rows *rows, const struct fact_schema *schema,
                           strview name, size_t *count);

#endif
