/* SPDX-License-Identifier: MIT */
/*
 * Which findings are new? A baseline records the findings of an older state by fingerprint and
 * number, so it does not care on which lines they stand. A file of JSON, one line a fingerprint,
 * sorted, to be kept under version control:
 *
 *     {"version": 1, "findings": [
 *     {"file": "src/io.c", "rule": "awaitc-blocking-call", "function": "serve", "leaf": "fsync",
 *      "fingerprint": "9c0b...", "count": 2}, ... ]}
 */
#ifndef AWAITC_REPORT_BASELINE_H
#define AWAITC_REPORT_BASELINE_H

#include "analyzer/report/render.h"

typedef struct baseline baseline;

/* Reads a baseline from the text of a file; NULL after an error in `sink`, which names `path`. */
baseline *baseline_parse(arena *mem, const char *path, strview text, diag_sink *sink);

/* Takes the findings that the baseline knows off a sorted list; returns how many. If it knows n of
 * a fingerprint, the first n go. */
size_t baseline_apply(baseline *known, finding_list *findings);

/* How many recorded findings baseline_apply did not meet: mended since then, or not checked now. */
size_t baseline_stale_count(const baseline *known);

/* The text of a baseline of these findings; of `cx`, mem and root are used. */
strview baseline_text(const finding_list *findings, const struct render_context *cx);

#endif
