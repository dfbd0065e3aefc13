/* SPDX-License-Identifier: MIT */
/*
 * The table rules/data/twins.tsv.
 */
#include "analyzer/program/known_twins.h"

#include "analyzer/base/check.h"
#include "analyzer/program/known_facts_impl.h"

enum { FUNCTION, CALL, WHEN, RESULT, HEADER };

static bool parse(struct fact_cx *cx, void *row)
{
    static const char *const results[] = {"errno", "void", "same"};
    struct known_twin *t = row;
    int result = fact_word(cx, RESULT, results, COUNTOF(results));
    if (result < 0)
        return false;
    t->call = cx->cells[CALL];
    t->result = (enum twin_result)result;
    t->header = cx->cells[HEADER];
    return known_guard_cell(cx, WHEN, &t->when);
}

const struct fact_schema known_twins_schema = {
    .name = "twins",
    .columns = {"function", "call", "when", "result", "header"},
    .column_count = 5,
    .required = 1U << FUNCTION | 1U << CALL | 1U << RESULT | 1U << HEADER,
    .many = true,
    .row_bytes = sizeof(struct known_twin),
    .parse = parse,
};

const struct known_twin *known_twins_of(const known_facts *facts, strview function, size_t *count)
{
    return known_rows_find(facts, KNOWN_TWINS, function, count);
}
