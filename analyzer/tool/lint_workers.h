/* SPDX-License-Identifier: MIT */
/*
 * How are many sources read at once? Each by a process of its own, at most `jobs` at a time: a
 * compile command has its own working directory, and a source that brings the reader down brings
 * down nothing else. Facts come back as text.
 */
#ifndef AWAITC_TOOL_LINT_WORKERS_H
#define AWAITC_TOOL_LINT_WORKERS_H

#include "analyzer/tool/lint_files.h"
#include "analyzer/tool/lint_source.h"

/* What came of a file. */
struct lint_outcome {
    enum lint_status status;
    strview facts;       /* text; at NULL: none */
    const char *message; /* errors to show; NULL: none */
};

/* What a worker needs besides the file. */
struct lint_work {
    const struct lint_settings *settings;
    query_rules *queries; /* NULL: none */
    const bool *enabled;
    const char *awaitc_dir;
};

/* Reads the files; outcome[i] belongs to files->at[i], those whose facts are there already are left
 * alone. work_of tells what a file needs. */
void lint_workers_run(arena *mem, const lint_files *files, unsigned jobs,
                      const struct lint_work *(*work_of)(void *context, size_t file), void *context,
                      struct lint_outcome *outcome);

#endif
