/* SPDX-License-Identifier: MIT */
/*
 * Does a name match a list such as `awaitc-*,-awaitc-large-frame`? As clang-tidy reads its lists:
 * items stand between commas or line ends, blanks around them do not count, `*` is any text, an
 * item that begins with '-' takes away, and the last item that matches decides.
 */
#ifndef AWAITC_REPORT_GLOB_LIST_H
#define AWAITC_REPORT_GLOB_LIST_H

#include <stdbool.h>

#include "analyzer/base/strview.h"

/* One item of a list. */
struct glob_item {
    strview pattern; /* without the '-' and blanks */
    bool negative;
};

/* Takes the next item that is not empty off the front of *list; false at the end. */
bool glob_next(strview *list, struct glob_item *item);

/* Does the whole name match the pattern? */
bool glob_matches(strview pattern, strview name);

/* What the list says of the name: +1 in, -1 out, 0 nothing. */
int glob_list_verdict(strview list, strview name);

#endif
