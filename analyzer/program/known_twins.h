/* SPDX-License-Identifier: MIT */
/*
 * What of the runtime does a blocking call's work, so that a fix can write it? The table
 * rules/data/twins.tsv:
 *
 *     recv(fd, buf, len, 0)   recv   aw_read($0, $1, $2)   when arg:3==0   errno
 *
 * A function without a twin can still be moved to a thread: aw_blocking(call).
 */
#ifndef AWAITC_PROGRAM_KNOWN_TWINS_H
#define AWAITC_PROGRAM_KNOWN_TWINS_H

#include "analyzer/program/fact_table.h"
#include "analyzer/program/known_facts.h"
#include "analyzer/program/known_guard.h"

/* How the twin's result differs. */
enum twin_result {
    TWIN_ERRNO, /* the call: -1 and errno; the twin: a negated errno, and errno is not set */
    TWIN_VOID,  /* the twin returns nothing: only where the call's result is not used */
    TWIN_SAME   /* no difference */
};

struct known_twin {
    struct fact_key key;
    strview call;      /* to be awaited; $0, $1: the text of the arguments, in parentheses where
                          precedence needs it. One that occurs twice must be free of side effects */
    struct guard when; /* of the call: the twin does its work only then; empty: always */
    enum twin_result result;
    strview header; /* that declares it */
};

/* The rows of a function, best first, how many; NULL and 0 if it has no twin. */
const struct known_twin *known_twins_of(const known_facts *facts, strview function, size_t *count);

#endif
