/* SPDX-License-Identifier: MIT */
/*
 * How are edits shown? As a unified diff with three lines of context. The edits are known, so
 * nothing is searched: the lines that each one touches are compared, and near ones share a hunk.
 */
#ifndef AWAITC_REPORT_FIX_DIFF_H
#define AWAITC_REPORT_FIX_DIFF_H

#include "analyzer/report/fixer.h"

/* Prints the changes of one file under the name `shown`; nothing if there are none. */
void fix_diff_print(arena *mem, const struct fixed_file *file, const char *shown, FILE *to);

#endif
