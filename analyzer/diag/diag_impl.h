/* SPDX-License-Identifier: MIT */
/*
 * What is inside a sink? Shared by diag.c, which fills it, and diag_print.c, which shows it;
 * nobody else includes this.
 */
#ifndef AWAITC_DIAG_DIAG_IMPL_H
#define AWAITC_DIAG_DIAG_IMPL_H

#include "analyzer/base/vec.h"
#include "analyzer/diag/diag.h"

struct diag_note_entry {
    struct diag_place place;
    const char *text;
};

struct diag_entry {
    enum diag_id id;
    enum diag_severity severity;
    struct diag_place place;
    uint32_t file_rank; /* files are numbered in the order in which they were first reported */
    uint32_t order;     /* of the report itself: keeps sorting stable */
    const char *text;
    VEC(struct diag_note_entry) notes;
};

struct diag_sink {
    arena *mem;
    VEC(struct diag_entry *) entries; /* in order of report */
    VEC(const char *) files;          /* by rank; NULL stands for the tool itself */
    struct diag_entry *last;          /* gets the notes; NULL after a repeated report */
    uint32_t error_count;
};

#endif
