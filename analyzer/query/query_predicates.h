/* SPDX-License-Identifier: MIT */
/*
 * Does a match satisfy the `(#name? @capture ...)` of its pattern? tree-sitter only parses these;
 * they are evaluated here, on the text as it was written. query_predicates.def lists them.
 */
#ifndef AWAITC_QUERY_QUERY_PREDICATES_H
#define AWAITC_QUERY_QUERY_PREDICATES_H

#include "analyzer/query/query_regex.h"
#include "analyzer/query/query_source.h"

enum predicate_op {
    PREDICATE_EQ,
    PREDICATE_MATCH,
    PREDICATE_ANY_OF,
    PREDICATE_HAS_ANCESTOR,
    PREDICATE_HAS_PARENT,
    PREDICATE_IN_ASYNC,
    PREDICATE_HAS_AWAIT,
    PREDICATE_ARGUMENT_OF,
    PREDICATE_ONLY_CHILD,
    PREDICATE_HELD,
    PREDICATE_DROPS_AWAIT,
    PREDICATE_REPEATS_AWAIT
};

#define NO_CAPTURE UINT32_MAX /* instead of the number of a capture */

/* A string, or the text of a capture. */
struct predicate_word {
    uint32_t capture; /* NO_CAPTURE: a string */
    strview text;
};

struct predicate {
    const struct predicate_kind *kind;
    uint32_t capture;
    const strview *strings; /* of word_count, "" for captures */
    const struct predicate_word *words;
    size_t word_count;
    query_regex *regex; /* of match?; owned by who owns the patterns */
};

typedef VEC(struct predicate) predicate_list;

/*
 * Makes a predicate of the steps of one, without the final one. Strings are borrowed from `query`.
 *
 * Returns NULL, or what is wrong (in `mem`).
 */
const char *predicate_read(arena *mem, const TSQuery *query, const TSQueryPredicateStep *steps,
                           size_t count, struct predicate *out);

/* Can the predicate only be satisfied where something is async? */
bool predicate_needs_async(const struct predicate *p);

/* `mem` for what is only needed meanwhile. */
bool predicates_hold(arena *mem, const predicate_list *list, struct query_source *source,
                     const TSQueryMatch *match);

#endif
