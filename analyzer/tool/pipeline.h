/* SPDX-License-Identifier: MIT */
/*
 * The whole order of work, from one source to its lowered text:
 *
 *     pre-scan -> regions -> expand (the target's preprocessor) -> lower -> splice
 */
#ifndef AWAITC_TOOL_PIPELINE_H
#define AWAITC_TOOL_PIPELINE_H

#include <stdio.h>

#include "analyzer/ir/machine.h"
#include "analyzer/tool/preprocess.h"

/* What shows the compiler's own messages about a source that is known to be async. It runs while
 * the source is lowered. */
struct pipeline_check {
    void (*start)(void *context, const preprocess *run);
    int (*finish)(void *context); /* a status other than 0 ends the work */
    void *context;
};

struct pipeline_request {
    const compile_command *cmd;
    const char *path; /* as the user named it; "-" for standard input */
    strview source;
    const char *awaitc_dir; /* NULL: not found */
    bool line_directives;
    bool want_machines;     /* fill pipeline_result.machines */
    bool skip_prescan;      /* always look closer (for `lower`) */
    const char *dump_after; /* a pass, or NULL */
    FILE *dump;
    const struct pipeline_check *check; /* NULL: none */
};

enum pipeline_status {
    PIPELINE_LOWERED, /* *text is set */
    PIPELINE_PLAIN,   /* nothing to lower */
    PIPELINE_REFUSED, /* reported: the source is to blame */
    PIPELINE_FAILED,  /* reported by request.check, whose status is in the result */
    PIPELINE_BROKEN   /* reported: the compiler could not be run, or memory files not be made */
};

struct pipeline_result {
    strview text;
    toolchain tc;
    machine_list machines;
    struct place_needs needs;
    int check_status;
};

/* Lowers one source; reports go to standard error. */
enum pipeline_status pipeline_lower(arena *mem, const struct pipeline_request *request,
                                    struct pipeline_result *result);

#endif
