/* SPDX-License-Identifier: MIT */
/*
 * Several rules as one query of tree-sitter: their texts in a row, so that a source is walked once
 * for all of them. Which rule a pattern or an error belongs to is told by its offset.
 */
#ifndef AWAITC_QUERY_QUERY_SET_H
#define AWAITC_QUERY_QUERY_SET_H

#include "analyzer/query/query_head.h"
#include "analyzer/query/query_predicates.h"
#include "analyzer/query/query_rules.h"

/* A rule file that was read. */
struct query_file {
    struct query_rule rule; /* what others see of it */
    struct query_head head;
    strview text;
    bool needs_async; /* all its patterns do */
};

typedef VEC(const struct query_file *) query_file_list;

struct query_pattern {
    const struct query_file *file;
    enum diag_severity severity;
    const char *message, *fix, *fix_title; /* with placeholders; fixes may be NULL */
    predicate_list predicates;
    bool needs_async; /* can match only where something is async */
};

struct query_set {
    TSQuery *query;
    VEC(struct query_pattern) patterns;   /* by tree-sitter's index */
    uint32_t report_capture, fix_capture; /* of @report and @fix, or NO_CAPTURE */
    bool needs_async;                     /* all patterns do */
};

/*
 * Compiles rules into *out, which is to be closed in any case. False if errors went to `sink`.
 */
bool query_set_compile(arena *mem, const query_file_list *files, diag_sink *sink,
                       struct query_set *out);
void query_set_close(struct query_set *set);

/*
 * The next piece of a message or fix: literal text (*capture empty), or a {capture}. {{ is a brace.
 * Advances *rest; false at the end.
 */
bool query_template_next(strview *rest, strview *literal, strview *capture);

/* The capture of this name in the query, or NO_CAPTURE. */
uint32_t query_capture_find(const TSQuery *query, strview name);

#endif
