/* SPDX-License-Identifier: MIT */
/*
 * The table rules/data/locks.tsv.
 */
#include "analyzer/program/known_locks.h"

#include "analyzer/base/check.h"
#include "analyzer/program/known_facts_impl.h"

enum { FUNCTION, ACTION, KIND, LOCK, SUCCESS, SHARING, LIBRARY };

static bool parse(struct fact_cx *cx, void *row)
{
    static const char *const actions[] = {"lock", "trylock", "timedlock", "unlock", "wait"};
    static const char *const kinds[] = {"thread", "spin", "async"};
    static const char *const results[] = {"always", "zero", "nonzero"};
    static const char *const sharings[] = {"exclusive", "shared"};
    struct known_lock *l = row;
    int action = fact_word(cx, ACTION, actions, COUNTOF(actions));
    int kind = fact_word(cx, KIND, kinds, COUNTOF(kinds));
    int success = 0, sharing = 0;
    if (!fact_is_empty(cx->cells[SUCCESS]))
        success = fact_word(cx, SUCCESS, results, COUNTOF(results));
    if (!fact_is_empty(cx->cells[SHARING]))
        sharing = fact_word(cx, SHARING, sharings, COUNTOF(sharings));
    if (action < 0 || kind < 0 || success < 0 || sharing < 0)
        return false;
    l->action = (enum lock_action)action;
    l->kind = (enum lock_kind)kind;
    l->success = (enum lock_success)success;
    l->shared = sharing == 1;
    l->library = cx->cells[LIBRARY];
    return known_place_cell(cx, LOCK, &l->lock);
}

const struct fact_schema known_locks_schema = {
    .name = "locks",
    .columns = {"function", "action", "kind", "lock", "success", "sharing", "library"},
    .column_count = 7,
    .required = 1U << FUNCTION | 1U << ACTION | 1U << KIND,
    .row_bytes = sizeof(struct known_lock),
    .parse = parse,
};

const struct known_lock *known_lock_find(const known_facts *facts, strview function)
{
    size_t count;
    return known_rows_find(facts, KNOWN_LOCKS, function, &count);
}
