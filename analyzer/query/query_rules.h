/* SPDX-License-Identifier: MIT */
/*
 * Checks that need no types, as tree-sitter queries: one `.scm` file a rule, with a head (id,
 * message, severity, fix) and one or more patterns. Those of rules/queries are built in; projects
 * name folders with their own. docs/lint-queries.md is the manual.
 *
 *     NAME.scm --.                            source --> mask --> tree
 *                 > one query for all rules ------------------------> matches -> predicates ->
 * findings NAME.scm --'
 */
#ifndef AWAITC_QUERY_QUERY_RULES_H
#define AWAITC_QUERY_QUERY_RULES_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/base/strview.h"
#include "analyzer/diag/diag.h"
#include "analyzer/report/finding.h"

enum query_when {
    QUERY_ALWAYS,
    QUERY_FALLBACK /* only for files that the checks with types could not read */
};

struct query_rule {
    const char *id; /* "awaitc-assert-await", "ourlib-no-strcpy" */
    enum diag_severity severity;
    enum query_when when;
    const char *message; /* with its {captures} */
    const char *file;    /* of a built-in one "rules/queries/NAME.scm" */
    bool built_in;
};

struct query_options {
    bool built_in;              /* load the built-in rules, too */
    const char *const *folders; /* folders of .scm files, or such files */
    size_t folder_count;
    const char *const *annotations; /* words that mark async functions besides async itself */
    size_t annotation_count;
};

/* The rules of one run. May be used from several threads at once. */
typedef struct query_rules query_rules;

/*
 * Loads rules. Never NULL: a file with errors (they go to `sink`, with line and column) is left
 * out. Options are copied.
 */
query_rules *query_rules_load(const struct query_options *options, diag_sink *sink);
void query_rules_free(query_rules **rules); /* accepts NULL in it, and sets it to NULL */

/* The rules, built-in ones first, then in the order of their folders and names. */
size_t query_rules_count(const query_rules *rules);
const struct query_rule *query_rules_at(const query_rules *rules, size_t i);

enum query_run_status {
    QUERY_RUN_OK,
    QUERY_RUN_TOO_LARGE, /* more bytes than the parser can count */
    QUERY_RUN_TOO_DEEP,  /* nested deeper than patterns are tried on */
    QUERY_RUN_TOO_MANY   /* found, but some matches may be missing: the patterns branch too much */
};

/*
 * Runs rules over one source; any bytes are survived.
 *
 * when    QUERY_FALLBACK: all rules. QUERY_ALWAYS: without those for unreadable files.
 * file    the name in findings; borrowed as long as they are used.
 * out     gets the findings, in its arena, by rule and place.
 */
enum query_run_status query_rules_run(query_rules *rules, enum query_when when, const char *file,
                                      strview source, finding_list *out);

/* A sentence for people about a status that is not OK. */
const char *query_run_status_text(enum query_run_status status);

/*
 * Tests the rules of a folder (NULL: the built-in ones) on the files NAME.test.c in `tests` (NULL:
 * the same folder), in which comments `EXPECT: id, id` on a line say what is found there. Writes
 * a line for each difference, each rule that no test expects, and a summary.
 *
 * Returns the number of problems, errors in rules among them: 0 means passed.
 */
unsigned query_rules_test(const char *folder, const char *tests, FILE *out);

#endif
