/* SPDX-License-Identifier: MIT */
/*
 * The table rules/data/loops.tsv.
 */
#include "analyzer/program/known_loops.h"

#include "analyzer/base/check.h"
#include "analyzer/program/known_facts_impl.h"

enum { FUNCTION, KIND, LOOP, QUICK, END, LIBRARY };

static bool parse(struct fact_cx *cx, void *row)
{
    static const char *const kinds[] = {"run", "once", "drive", "wait"};
    struct known_loop *l = row;
    int kind = fact_word(cx, KIND, kinds, COUNTOF(kinds));
    if (kind < 0)
        return false;
    l->kind = (enum loop_kind)kind;
    l->end = cx->cells[END];
    l->library = cx->cells[LIBRARY];
    return known_place_cell(cx, LOOP, &l->loop) && known_guard_cell(cx, QUICK, &l->quick);
}

const struct fact_schema known_loops_schema = {
    .name = "loops",
    .columns = {"function", "kind", "loop", "quick", "end", "library"},
    .column_count = 6,
    .required = 1U << FUNCTION | 1U << KIND,
    .row_bytes = sizeof(struct known_loop),
    .parse = parse,
};

const struct known_loop *known_loop_find(const known_facts *facts, strview function)
{
    size_t count;
    const struct known_loop *row = known_rows_find(facts, KNOWN_LOOPS, function, &count);
    return row == NULL || row->kind == LOOP_WAIT ? NULL : row;
}

const struct known_loop *known_wait_find(const known_facts *facts, strview function)
{
    size_t count;
    const struct known_loop *row = known_rows_find(facts, KNOWN_LOOPS, function, &count);
    return row != NULL && row->kind == LOOP_WAIT ? row : NULL;
}
