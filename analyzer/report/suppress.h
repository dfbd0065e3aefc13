/* SPDX-License-Identifier: MIT */
/*
 * Which findings does the source silence, and which silencers does nothing need? As clang-tidy:
 *
 *     call(); // NOLINT                                 all checks, on this line
 *     call(); // NOLINT(awaitc-blocking-call): reason   these, by id or glob
 *     // NOLINTNEXTLINE(awaitc-*)
 *     // NOLINTBEGIN(awaitc-x) ... // NOLINTEND(awaitc-x)   both with the same list; they nest
 *
 * The words count in comments only. NOLINT() silences nothing. A list without an id of awaitc is
 * another tool's: it is obeyed as far as its globs match, and never reported.
 *
 * Use: per file suppress_collect(), or suppress_read_line() for what suppress_write() wrote; then
 * suppress_matches() for each finding, which remembers what was used; then
 * suppress_report_unused().
 */
#ifndef AWAITC_REPORT_SUPPRESS_H
#define AWAITC_REPORT_SUPPRESS_H

#include "analyzer/base/strbuf.h"
#include "analyzer/report/finding.h"

typedef struct suppressions suppressions;

/* None yet; all lives in `mem`. Not for several threads at once. */
suppressions *suppress_new(arena *mem);

/* Adds those of one source text, the whole file as it is on disk. */
void suppress_collect(suppressions *s, const char *file, strview text);

/* Appends the file's suppressions as lines: "nolint", line, column, kind, list, separated by tabs.
 */
void suppress_write(const suppressions *s, const char *file, strbuf *out);

/* Takes one such line, without its end, of a file; false if it is none. Lines of a file may come
 * from several writers, one a unit that includes it: repeated ones count once. */
bool suppress_read_line(suppressions *s, const char *file, strview line);

/* Is the rule silenced on this line of the file? If so, what silences it has been used. */
bool suppress_matches(suppressions *s, const char *file, uint32_t line, const char *rule);

/* Takes the silenced findings off the list; returns how many. */
size_t suppress_apply(suppressions *s, finding_list *findings);

struct suppress_checks {
    const char *const *known; /* the ids of all checks */
    const bool *ran;          /* which of them ran here */
    size_t count;
    bool bare; /* also report unused NOLINT without a list; other tools may need those */
    /* Which of them ran over one file, where that differs; NULL: `ran` for all. */
    const bool *(*ran_over)(void *context, const char *file);
    void *context;
};

/*
 * Adds a finding awaitc-unused-suppression for each id of awaitc's that silenced nothing though its
 * check ran, for ids that no check has, and for NOLINTBEGIN and NOLINTEND without the other one.
 * Such findings can be silenced themselves, by NOLINT(awaitc-unused-suppression) on their line.
 */
void suppress_report_unused(suppressions *s, const struct suppress_checks *checks,
                            finding_list *findings);

#endif
