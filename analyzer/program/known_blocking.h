/* SPDX-License-Identifier: MIT */
/*
 * Which functions may block their thread, why, and when do they not? The table
 * rules/data/blocking.tsv and what the user's facts files add to it.
 */
#ifndef AWAITC_PROGRAM_KNOWN_BLOCKING_H
#define AWAITC_PROGRAM_KNOWN_BLOCKING_H

#include "analyzer/program/fact_table.h"
#include "analyzer/program/known_facts.h"
#include "analyzer/program/known_guard.h"

enum blocking_tier {
    TIER_WAITS, /* A: waits by design, or without a bound */
    TIER_MAYBE, /* B: waits unless arguments or the descriptor say otherwise */
    TIER_SHORT, /* C: short on a good day */
    TIER_POOL,  /* P: does not wait, but takes a slot of a shared pool */
    TIER_NEVER  /* N: does not block (a user's word against another row) */
};

/* One bit a reason; a function can have several. */
enum blocking_reason {
#define REASON(NAME, word, phrase) REASON_BIT_##NAME,
#include "analyzer/program/known_reasons.def"
#undef REASON
    REASON_COUNT
};

#define REASON(NAME, word, phrase) REASON_##NAME = 1U << REASON_BIT_##NAME,
enum blocking_reasons {
#include "analyzer/program/known_reasons.def"
};
#undef REASON

struct known_blocking {
    struct fact_key key;
    strview header, library; /* "unistd.h", "libc"; "-" where not known */
    strview quick;           /* in words: when it does not block; "-" */
    strview counterpart;     /* in words: what to write instead; "-" */
    strview source;
    uint32_t reasons; /* bits of enum blocking_reasons */
    enum blocking_tier tier;
    struct guard guard; /* when it does not block */
};

/* The row of a function, NULL if nothing is known of it. */
const struct known_blocking *known_blocking_find(const known_facts *facts, strview name);

/* All rows, sorted by name. */
const struct known_blocking *known_blocking_all(const known_facts *facts, size_t *count);

/* "waits for the network", "asks the DNS": the first reason, as the end of a sentence that begins
 * with the function. */
const char *known_blocking_phrase(const struct known_blocking *row);

/* All reasons as the table writes them, "io-network+dns". */
const char *known_blocking_reasons(arena *mem, const struct known_blocking *row);

/* "waits by design", "waits unless its arguments say otherwise", ... */
const char *blocking_tier_words(enum blocking_tier tier);

#endif
