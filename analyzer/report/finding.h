/* SPDX-License-Identifier: MIT */
/*
 * What does the linter report? A finding: one check, one place where its fix starts, the chain of
 * calls that leads to the trouble, and maybe the edits that mend it. Checks make findings; the
 * suppressions, the baseline, the fixer and the renderers read them. No check knows how a finding
 * is shown, no renderer knows a check.
 *
 *     place     foo.c:12:5   the call inside the async function or callback
 *     steps     foo.c:30:9   one a call, down to the one that waits
 *     fixes     alternatives, best first; each a set of edits that belong together
 */
#ifndef AWAITC_REPORT_FINDING_H
#define AWAITC_REPORT_FINDING_H

#include "analyzer/base/vec.h"
#include "analyzer/diag/diag.h"

/* One `note:` line: a call of the chain, or another place that matters. */
struct finding_step {
    struct diag_place place;
    const char *function; /* in which the place stands; NULL: outside functions, or not known */
    const char *text;     /* "calls 'flush', which" ..., without the place */
};

/* Replaces bytes [begin, end) of a file by text; begin == end inserts. */
struct finding_edit {
    const char *file;
    uint32_t begin, end; /* byte offsets in the file as it is on disk */
    const char *text;
};

struct finding_fix {
    const char *title; /* "await the runtime's aw_read" */
    VEC(struct finding_edit) edits;
};

struct finding {
    const char *rule; /* "awaitc-blocking-call" */
    enum diag_severity severity;
    struct diag_place place;
    uint32_t end_column;  /* column behind the last byte of what is meant, on the same line; 0: not
                             known */
    const char *message;  /* one sentence without the rule's id */
    const char *function; /* root: the function in which the place stands; NULL: none */
    const char *leaf;     /* what the chain ends in ("fsync"), or what tells this finding from
                             another of its rule in the function; NULL: nothing. Part of the
                             fingerprint, so it holds no line numbers */
    VEC(struct finding_step) steps;
    VEC(struct finding_fix) fixes;
};

typedef struct finding_list {
    arena *mem;
    VEC(struct finding *) all;
} finding_list;

/* Sorts by file, line, column, rule, message, and drops exact repetitions. */
void finding_list_sort(finding_list *list);

/* A new finding on the list, its texts borrowed; the caller adds what it has besides. */
struct finding *finding_add(finding_list *list, const char *rule, enum diag_severity severity,
                            struct diag_place place, const char *message);

/*
 * 16 hex digits over rule, root function, leaf and the functions of the chain: the same while lines
 * move. A finding outside functions has its file's name, without folders, instead of the function.
 */
const char *finding_fingerprint(arena *mem, const struct finding *f);

const char *finding_severity_text(enum diag_severity severity); /* "note", "warning", "error" */

#endif
