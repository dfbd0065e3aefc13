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
    /* Shows the compiler's own messages about the source once it is known to be async; a status
     * other than 0 ends the work. NULL: none. */
    int (*check)(void *context, const preprocess *run);
    void *check_context;
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
