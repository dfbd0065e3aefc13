/* SPDX-License-Identifier: MIT */
/*
 * How does one source become facts? Preprocessed by its own compiler command, read by sema, looked
 * at by the checks that need one source only, and boiled down to what the whole program must know.
 */
#ifndef AWAITC_TOOL_LINT_SOURCE_H
#define AWAITC_TOOL_LINT_SOURCE_H

#include <string.h>

#include "analyzer/program/lint_settings.h"
#include "analyzer/program/unit_facts.h"
#include "analyzer/query/query_rules.h"
#include "analyzer/tool/compile_command.h"

typedef struct lint_expand lint_expand;

struct lint_source {
    const compile_command *cmd;
    const char *path;             /* as the command spells it; "-" for standard input */
    const char *shown;            /* as reports show it */
    const char *from, *directory; /* lint_shown_path's, for the other files */
    strview text;                 /* of the source */
    const char *awaitc_dir;
    const struct lint_settings *settings;
    query_rules *queries; /* NULL: none */
    const bool *enabled;  /* [rules] */
    lint_expand *expand;
};

/* The source as the compiler names it. */
static inline const char *lint_source_name(const struct lint_source *source)
{
    return strcmp(source->path, "-") == 0 ? "<stdin>" : source->path;
}

enum lint_status {
    LINT_DONE,
    LINT_UNPARSED, /* *message says why; the checks on the written text can still run */
    LINT_BROKEN    /* the compiler could not be run; *message */
};

/*
 * The facts and candidates of a source, in `mem`. Of one that could not be parsed *out has what the
 * queries found and the NOLINT comments; of one in which some functions could not, the rest, with a
 * *message about them. Reading trees recurses as deep as expressions are long: the caller's stack
 * has to be large.
 */
enum lint_status lint_source_read(arena *mem, const struct lint_source *source,
                                  struct unit_facts **out, const char **message);

#endif
