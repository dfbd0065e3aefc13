/* SPDX-License-Identifier: MIT */
/*
 * How does the linter get the preprocessed text of a source? By the preprocessor in this process,
 * which the compiler tells once per set of flags what it defines and where it looks; what that one
 * does not take goes to the compiler.
 */
#ifndef AWAITC_TOOL_LINT_EXPAND_H
#define AWAITC_TOOL_LINT_EXPAND_H

#include "analyzer/tool/lint_source.h"

/* What was learned so far: the caller destroys it. */
lint_expand *lint_expand_create(void);

/* Frees it and sets it to NULL; accepts NULL. */
void lint_expand_destroy(lint_expand **e);

struct lint_expanded {
    strview text;            /* until the next call */
    enum lint_status failed; /* where the call fails */
    const char *message;     /* where it fails: why; else what made the compiler do it, or NULL */
};

/*
 * The text of `source`, in whose directory the process is.
 *
 * false: it cannot be had.
 */
bool lint_expand_source(lint_expand *e, arena *mem, const struct lint_source *source,
                        struct lint_expanded *out);

#endif
