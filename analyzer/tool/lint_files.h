/* SPDX-License-Identifier: MIT */
/*
 * Which sources are linted, with which compile commands? Those named on the command line, or all of
 * the compilation database.
 */
#ifndef AWAITC_TOOL_LINT_FILES_H
#define AWAITC_TOOL_LINT_FILES_H

#include "analyzer/tool/compile_command.h"
#include "analyzer/tool/options.h"

struct lint_file {
    const char *shown;     /* as reports show it: relative to where the user is, if below it */
    const char *directory; /* the command's working directory; NULL: where the user is */
    const char *path;      /* as the command spells it, seen from there */
    const compile_command *cmd;
    bool has_flags; /* from a database or from behind "--" */
};

typedef VEC(struct lint_file) lint_files;

/* Finds them; an exit status, 0 if all is well, after a line on standard error. */
int lint_files_find(arena *mem, const options *opts, lint_files *out);

/* The path of a file as the command in `directory` spells it, as seen from `from` (absolute): below
 * that folder relative, else absolute; without "." and "x/.." parts. */
const char *lint_shown_path(arena *mem, const char *from, const char *directory, const char *path);

#endif
