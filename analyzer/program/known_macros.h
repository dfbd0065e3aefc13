/* SPDX-License-Identifier: MIT */
/*
 * Which calls are what a library's macro expands to? The table rules/data/macros.tsv:
 *
 *     BIO_ctrl(b, 101, 0, NULL)     BIO_do_connect(b)     when arg:1==101, arguments 0
 *
 * Sources are read expanded, while the facts and the messages speak of the macro.
 */
#ifndef AWAITC_PROGRAM_KNOWN_MACROS_H
#define AWAITC_PROGRAM_KNOWN_MACROS_H

#include "analyzer/program/fact_table.h"
#include "analyzer/program/known_facts.h"
#include "analyzer/program/known_guard.h"

enum { MACRO_ARGUMENTS_MAX = 6 };

struct known_macro {
    struct fact_key key; /* name: the function that is called */
    strview macro;
    struct guard when;                  /* of the call; empty: always */
    int arguments[MACRO_ARGUMENTS_MAX]; /* of the function, in the macro's order */
    size_t argument_count;
    strview library;
};

/* The rows of a function, how many; NULL and 0 if no macro stands for it. */
const struct known_macro *known_macros_of(const known_facts *facts, strview function,
                                          size_t *count);

#endif
