/* SPDX-License-Identifier: MIT */
/*
 * The table rules/data/threadstate.tsv.
 */
#include "analyzer/program/known_threadstate.h"

#include "analyzer/base/check.h"
#include "analyzer/program/known_facts_impl.h"

enum { FUNCTION, KIND, WHERE, STORAGE, INSTEAD, LIBRARY };

static bool parse(struct fact_cx *cx, void *row)
{
    static const char *const kinds[] = {"static", "position", "value", "address"};
    struct known_threadstate *t = row;
    int kind = fact_word(cx, KIND, kinds, COUNTOF(kinds));
    if (kind < 0)
        return false;
    t->kind = (enum threadstate_kind)kind;
    t->storage = cx->cells[STORAGE];
    t->instead = cx->cells[INSTEAD];
    t->library = cx->cells[LIBRARY];
    return known_place_cell(cx, WHERE, &t->where);
}

const struct fact_schema known_threadstate_schema = {
    .name = "threadstate",
    .columns = {"function", "kind", "where", "storage", "instead", "library"},
    .column_count = 6,
    .required = 1U << FUNCTION | 1U << KIND | 1U << STORAGE,
    .row_bytes = sizeof(struct known_threadstate),
    .parse = parse,
};

const struct known_threadstate *known_threadstate_find(const known_facts *facts, strview function)
{
    size_t count;
    return known_rows_find(facts, KNOWN_THREADSTATE, function, &count);
}
