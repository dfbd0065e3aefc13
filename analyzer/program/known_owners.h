/* SPDX-License-Identifier: MIT */
/*
 * Which calls give something that must be released, and by which call? The table
 * rules/data/owners.tsv.
 */
#ifndef AWAITC_PROGRAM_KNOWN_OWNERS_H
#define AWAITC_PROGRAM_KNOWN_OWNERS_H

#include "analyzer/program/fact_table.h"
#include "analyzer/program/known_facts.h"
#include "analyzer/program/known_place.h"

enum owned_kind { OWNED_HEAP, OWNED_DESCRIPTOR, OWNED_STREAM, OWNED_OBJECT };

/* Which value says that nothing was acquired (of what `where` holds, or of the result). */
enum owned_failure {
    OWNED_NEVER_FAILS,
    OWNED_FAILS_NULL,
    OWNED_FAILS_NEGATIVE,
    OWNED_FAILS_NONZERO
};

struct known_owner {
    struct fact_key key; /* the call that acquires */
    struct known_place where;
    enum owned_kind kind;
    strview release;      /* the usual call that releases: "free" */
    strview release_call; /* how to write it, $0 stands for the thing: "free($0)" */
    enum owned_failure fails;
    strview library;
};

/* The rows of a function that acquires (pipe gives two), how many; NULL and 0 if none. */
const struct known_owner *known_owners_of(const known_facts *facts, strview function,
                                          size_t *count);

/* Does a function release what some row acquires? */
bool known_owner_releases(const known_facts *facts, strview function);

#endif
