/* SPDX-License-Identifier: MIT */
/*
 * What does the compiler say of the user's own text? Its warnings and errors about a source that is
 * lowered are those of the source with async and await removed; the lowered text gives none.
 */
#ifndef AWAITC_TOOL_ERASED_CHECK_H
#define AWAITC_TOOL_ERASED_CHECK_H

#include "analyzer/tool/preprocess.h"

struct erased_check {
    arena *mem;
    const compile_command *cmd;
    const toolchain *tc;
    const char *awaitc_dir; /* NULL: not found */
    uint32_t input;         /* index into the command's inputs */
    strview source;         /* its text, for standard input */
    bool plain;             /* it is not lowered: read as it is compiled */
    bool names_setjmp;      /* a function that returns twice may be called */
    bool is_running;        /* set by erased_check_start */
};

/* Does the command want warnings at all? */
bool erased_check_wanted(const compile_command *cmd);

/* Starts the compiler, which reports to standard error; one at a time. */
void erased_check_start(struct erased_check *check);

/* Waits for it; its exit status, 2 if it could not be run. */
int erased_check_finish(struct erased_check *check);

/* Is this argument about diagnostics alone, so that the compile after the check goes without it? */
bool erased_check_owns(const struct compile_arg *arg);

/* Appends the flags by which the compile after the check gives no warnings of its own. */
void erased_check_silence(const compile_command *cmd, const toolchain *tc, arena *mem,
                          argument_list *argv);

#endif
