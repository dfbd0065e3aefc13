/* SPDX-License-Identifier: MIT */
/*
 * The table rules/data/descriptors.tsv.
 */
#include "analyzer/program/known_descriptors.h"

#include "analyzer/base/check.h"
#include "analyzer/program/known_facts_impl.h"

enum { FUNCTION, ROLE, KIND, WHERE, FROM, NONBLOCKING, BLOCKING, LIBRARY };

static bool parse_mode(struct fact_cx *cx, size_t column, bool *always, struct guard *guard)
{
    *always = sv_is(cx->cells[column], "always");
    return *always || known_guard_cell(cx, column, guard);
}

static bool parse(struct fact_cx *cx, void *row)
{
    static const char *const roles[] = {"make", "set", "copy", "close", "give"};
    static const char *const kinds[] = {"any",  "socket", "pipe",  "file",   "event",
                                        "poll", "tty",    "queue", "memory", "stream"};
    struct known_descriptor *d = row;
    int role = fact_word(cx, ROLE, roles, COUNTOF(roles));
    int kind = fact_is_empty(cx->cells[KIND]) ? 0 : fact_word(cx, KIND, kinds, COUNTOF(kinds));
    if (role < 0 || kind < 0)
        return false;
    d->role = (enum descriptor_role)role;
    d->kind = (enum descriptor_kind)kind;
    d->library = cx->cells[LIBRARY];
    return known_place_cell(cx, WHERE, &d->where) && known_place_cell(cx, FROM, &d->from) &&
           parse_mode(cx, NONBLOCKING, &d->always_nonblocking, &d->nonblocking) &&
           parse_mode(cx, BLOCKING, &d->always_blocking, &d->blocking);
}

const struct fact_schema known_descriptors_schema = {
    .name = "descriptors",
    .columns = {"function", "role", "kind", "where", "from", "nonblocking", "blocking", "library"},
    .column_count = 8,
    .required = 1U << FUNCTION | 1U << ROLE | 1U << WHERE,
    .many = true,
    .row_bytes = sizeof(struct known_descriptor),
    .parse = parse,
};

const struct known_descriptor *known_descriptors_of(const known_facts *facts, strview function,
                                                    size_t *count)
{
    return known_rows_find(facts, KNOWN_DESCRIPTORS, function, count);
}

bool descriptor_kind_has_mode(enum descriptor_kind kind)
{
    switch (kind) {
    case DESCRIPTOR_SOCKET:
    case DESCRIPTOR_PIPE:
    case DESCRIPTOR_EVENT:
    case DESCRIPTOR_TTY:
    case DESCRIPTOR_QUEUE:
    case DESCRIPTOR_ANY:
        return true;
    case DESCRIPTOR_FILE:
    case DESCRIPTOR_POLL:
    case DESCRIPTOR_MEMORY:
    case DESCRIPTOR_STREAM:
        return false;
    }
    AWC_UNREACHABLE();
}
