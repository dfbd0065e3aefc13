/* SPDX-License-Identifier: MIT */
/*
 * How do errors reach people? Through one sink per unit: reports are collected, sorted by place,
 * de-duplicated and printed in the compilers' form, with the source line and a caret:
 *
 *     file:line:col: error: what, why, what to do [awaitc-id]
 *     file:line:col: note: the other place
 *
 * Each message has an id in diag_catalog.def that `awaitc explain` knows.
 */
#ifndef AWAITC_DIAG_DIAG_H
#define AWAITC_DIAG_DIAG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analyzer/base/arena.h"

enum diag_id {
#define DIAG(name, id, severity, summary) DIAG_##name,
#include "analyzer/diag/diag_catalog.def"
#undef DIAG
    DIAG_ID_COUNT
};

enum diag_severity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

/* A place in a source. file NULL: the tool itself ("awaitc: error: ..."); line 0: the whole file.
 */
struct diag_place {
    const char *file;
    uint32_t line, column; /* 1-based; column in bytes, 0: not known */
};

typedef struct diag_sink diag_sink;

/* An empty sink in `mem`. */
diag_sink *diag_sink_new(arena *mem);

/* Reports once per id, place and text; the severity is the catalogue's. */
void diag_report(diag_sink *sink, enum diag_id id, struct diag_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a note to the last report. */
void diag_note(diag_sink *sink, struct diag_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

uint32_t diag_error_count(const diag_sink *sink);

/* Prints all in order of file (first reported first), line and column; source lines are read from
 * the files where they can be. Colour when `colour`. */
void diag_print(const diag_sink *sink, FILE *to, bool colour);

const char *diag_id_text(enum diag_id id); /* "awaitc-missing-await" */
/* The id of this text ("awaitc-x" or "x"), or DIAG_ID_COUNT. */
enum diag_id diag_id_find(const char *text);

#endif
