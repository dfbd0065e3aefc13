/* SPDX-License-Identifier: MIT */
/*
 * What lies where in a frame, and why is it so large? The emitted struct as rows by offset, with
 * the gaps between them, and for each local the states over which it is kept.
 *
 *      0  16  header
 *     16   8  total              states 1 2
 *     24   8  n, rc              share a slot
 *     32   -  (end)
 */
#ifndef AWAITC_DIAGRAM_FRAME_TABLE_H
#define AWAITC_DIAGRAM_FRAME_TABLE_H

#include "analyzer/diagram/state_graph.h"

enum frame_row_kind { ROW_FIELD, ROW_LOCAL, ROW_PADDING };

struct frame_row {
    enum frame_row_kind kind;
    uint64_t offset_bytes, size_bytes, align_bytes;
    const char *name, *type;
    uint32_t local;       /* LOCAL */
    uint64_t slot_bytes;  /* LOCAL: of its slot; else size_bytes */
    uint32_t sharers;     /* LOCAL: how many locals the slot has; 1: its own */
    bool is_first_sharer; /* of its slot */
    bool is_resident;     /* LOCAL: lives here all the time; else stored at a suspension */
    uint32_t line;
    bitset alive;     /* LOCAL: [state - 1] */
    uint32_t keeper;  /* LOCAL: the state that keeps it: the first one; 0: none */
    const char *why;  /* of the keeper */
    const char *from; /* "fixed part", ... */
};

typedef struct frame_table {
    VEC(struct frame_row) rows; /* by offset; sharers of a slot one after the other */
    uint64_t local_bytes, padding_bytes, field_bytes;
    uint64_t shared_bytes; /* saved by sharing */
    uint32_t worst_state;  /* whose room is the largest; 0: none awaits more than a leaf's room */
} frame_table;

frame_table frame_table_build(const state_graph *g);

#endif
