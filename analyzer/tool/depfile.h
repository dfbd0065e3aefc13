/* SPDX-License-Identifier: MIT */
/*
 * How does a dependency file come to name the user's source? The compiler read a text in its place;
 * the rule it wrote is laid out again as if it had read the file itself, byte for byte.
 */
#ifndef AWAITC_TOOL_DEPFILE_H
#define AWAITC_TOOL_DEPFILE_H

#include <stdbool.h>

#include "analyzer/base/arena.h"
#include "analyzer/base/strview.h"

struct depfile_change {
    const char *from; /* the prerequisite to replace; NULL: the source is missing, it comes first */
    const char *to;   /* the user's name of the source */
    bool phony;       /* -MP: every prerequisite but the source has a rule */
    bool clang_layout; /* lines are broken as clang does, not gcc */
};

/* The text with its first rule changed; in `mem`. */
strview depfile_rename(arena *mem, strview text, const struct depfile_change *change);

#endif
