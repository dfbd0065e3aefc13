/* SPDX-License-Identifier: MIT */
/*
 * The table rules/data/owners.tsv.
 */
#include "analyzer/program/known_owners.h"

#include "analyzer/base/check.h"
#include "analyzer/program/known_facts_impl.h"

enum { ACQUIRE, WHERE, KIND, RELEASE, FAILS, LIBRARY };

static bool parse(struct fact_cx *cx, void *row)
{
    static const char *const kinds[] = {"heap", "descriptor", "stream", "object"};
    static const char *const failures[] = {"never", "null", "negative", "nonzero"};
    struct known_owner *o = row;
    int kind = fact_word(cx, KIND, kinds, COUNTOF(kinds));
    int fails = fact_word(cx, FAILS, failures, COUNTOF(failures));
    if (kind < 0 || fails < 0)
        return false;
    o->kind = (enum owned_kind)kind;
    o->fails = (enum owned_failure)fails;
    o->library = cx->cells[LIBRARY];
    o->release_call = cx->cells[RELEASE];
    const char *open = memchr(o->release_call.at, '(', o->release_call.len);
    if (open == NULL || open == o->release_call.at) {
        fact_error(cx, RELEASE, "'%.*s' is no call, such as free($0)", SV_ARG(o->release_call));
        return false;
    }
    o->release = (strview){o->release_call.at, (size_t)(open - o->release_call.at)};
    return known_place_cell(cx, WHERE, &o->where);
}

const struct fact_schema known_owners_schema = {
    .name = "owners",
    .columns = {"acquire", "where", "kind", "release", "fails", "library"},
    .column_count = 6,
    .required = 1U << ACQUIRE | 1U << WHERE | 1U << KIND | 1U << RELEASE | 1U << FAILS,
    .many = true,
    .row_bytes = sizeof(struct known_owner),
    .parse = parse,
};

const struct known_owner *known_owners_of(const known_facts *facts, strview function, size_t *count)
{
    return known_rows_find(facts, KNOWN_OWNERS, function, count);
}

bool known_owner_releases(const known_facts *facts, strview function)
{
    const struct fact_rows *rows = &facts->tables[KNOWN_OWNERS];
    const struct known_owner *all = rows->at;
    for (size_t i = 0; i < rows->count; i++) {
        if (sv_equal(all[i].release, function))
            return true;
    }
    return false;
}
