/* SPDX-License-Identifier: MIT */
/*
 * The table rules/data/macros.tsv.
 */
#include "analyzer/program/known_macros.h"

#include "analyzer/base/check.h"
#include "analyzer/program/known_facts_impl.h"

enum { FUNCTION, MACRO, WHEN, ARGUMENTS, LIBRARY };

/* "0,2": the macro's first argument is argument 0 of the call, its second one argument 2. */
static bool parse_arguments(struct fact_cx *cx, struct known_macro *m)
{
    strview left = cx->cells[ARGUMENTS];
    while (!fact_is_empty(left)) {
        const char *comma = memchr(left.at, ',', left.len);
        strview one = {left.at, comma == NULL ? left.len : (size_t)(comma - left.at)};
        if (m->argument_count == MACRO_ARGUMENTS_MAX ||
            !fact_number(one, 99, &m->arguments[m->argument_count])) {
            fact_error(cx, ARGUMENTS, "'%.*s' is no list of arguments: 0,2", SV_ARG(left));
            return false;
        }
        m->argument_count++;
        size_t taken = comma == NULL ? left.len : one.len + 1;
        left = (strview){left.at + taken, left.len - taken};
    }
    return true;
}

static bool parse(struct fact_cx *cx, void *row)
{
    struct known_macro *m = row;
    m->macro = cx->cells[MACRO];
    m->library = cx->cells[LIBRARY];
    return known_guard_cell(cx, WHEN, &m->when) && parse_arguments(cx, m);
}

const struct fact_schema known_macros_schema = {
    .name = "macros",
    .columns = {"function", "macro", "when", "arguments", "library"},
    .column_count = 5,
    .required = 1U << FUNCTION | 1U << MACRO,
    .many = true,
    .row_bytes = sizeof(struct known_macro),
    .parse = parse,
};

const struct known_macro *known_macros_of(const known_facts *facts, strview function, size_t *count)
{
    return known_rows_find(facts, KNOWN_MACROS, function, count);
}
