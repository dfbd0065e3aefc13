/* SPDX-License-Identifier: MIT */
/*
 * How does the compiler compile a lowered text as if it were the user's file? Same output, same
 * names in it and beside it: the flags of the command stay, and the text takes the place of the
 * file.
 */
#ifndef AWAITC_TOOL_FINAL_COMPILE_H
#define AWAITC_TOOL_FINAL_COMPILE_H

#include "analyzer/tool/preprocess.h"

/* A source of the command that was lowered. */
struct lowered_input {
    uint32_t input; /* index into the command's inputs */
    strview text;
    struct place_needs needs;
};

struct final_job {
    arena *mem;
    const compile_command *cmd;
    const toolchain *tc;
    const char *awaitc_dir;
    const struct lowered_input *lowered;
    uint32_t lowered_count;
    bool checked; /* erased_check has shown the warnings: the compile gives none */
    int stdin_fd; /* what the user gave on standard input, if it was read; else -1 */
};

/* Compiles; the exit status. May end by becoming the compiler. */
int final_compile(const struct final_job *job);

/* Becomes the compiler with the command as it is, or (with_awaitc) with awaitc's headers and
 * __AWAITC__ for it; returns the exit status if it cannot be run. */
enum pass_kind { PASS_UNTOUCHED, PASS_HEADERS, PASS_LOWERED };
int final_pass_on(const struct final_job *job, char *const *argv, int argc, enum pass_kind kind);

#endif
