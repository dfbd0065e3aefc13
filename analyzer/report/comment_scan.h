/* SPDX-License-Identifier: MIT */
/*
 * Where are the comments of a C text? Literals are skipped, so that "//" in a string is none. Works
 * on any bytes; nothing is expanded or checked.
 */
#ifndef AWAITC_REPORT_COMMENT_SCAN_H
#define AWAITC_REPORT_COMMENT_SCAN_H

#include <stdbool.h>

#include "analyzer/base/strview.h"

struct comment_scan {
    strview text;
    size_t at; /* where to go on; 0 at first */
};

/* The next comment, from its first slash to before the line end or through the closing slash. Line
 * comments go on behind a backslash at the end of a line. False at the end of the text. */
bool comment_scan_next(struct comment_scan *scan, strview *comment);

#endif
