/* SPDX-License-Identifier: MIT */
/*
 * How are the tables of facts held? As rows by table; only the files known_*.c know.
 */
#ifndef AWAITC_PROGRAM_KNOWN_FACTS_IMPL_H
#define AWAITC_PROGRAM_KNOWN_FACTS_IMPL_H

#include "analyzer/program/fact_table.h"
#include "analyzer/program/known_facts.h"

enum known_table {
#define KNOWN_TABLE(NAME, name) KNOWN_##NAME,
#include "analyzer/program/known_tables.def"
#undef KNOWN_TABLE
    KNOWN_TABLE_COUNT
};

struct known_facts {
    arena *mem;
    uint32_t rounds; /* loads so far */
    struct fact_rows tables[KNOWN_TABLE_COUNT];
};

#define KNOWN_TABLE(NAME, name) extern const struct fact_schema known_##name##_schema;
#include "analyzer/program/known_tables.def"
#undef KNOWN_TABLE

/* The rows of one name in a table; NULL and 0 if none. */
const void *known_rows_find(const known_facts *facts, enum known_table table, strview name,
                            size_t *count);

/* Parses a guard in a cell; false after an error. */
struct guard;
bool known_guard_cell(struct fact_cx *cx, size_t column, struct guard *out);

#endif
