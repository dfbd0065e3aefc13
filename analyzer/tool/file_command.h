/* SPDX-License-Identifier: MIT */
/*
 * With which flags does one of awaitc's own commands read a source? With those behind "--", those
 * of a compilation database, or those of plain C11. With a database the work is done in the
 * command's own directory and under its own spelling of the file, as the build does it.
 */
#ifndef AWAITC_TOOL_FILE_COMMAND_H
#define AWAITC_TOOL_FILE_COMMAND_H

#include "analyzer/tool/compile_command.h"
#include "analyzer/tool/options.h"

struct file_command {
    const char *path; /* as the compile command has it */
    compile_command *cmd;
};

/* Finds the command of `file` ("-": standard input), and enters its directory. An exit status: 0,
 * or 2 after one line on standard error. */
int file_command_find(arena *mem, const options *opts, const char *file, struct file_command *out);

/* "awaitc: error: cannot read 'x': ..." for errno on standard error; returns the exit status 2. */
int file_command_error(const char *what, const char *path);

#endif
