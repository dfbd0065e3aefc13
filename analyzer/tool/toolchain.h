/* SPDX-License-Identifier: MIT */
/*
 * What is the compiler that the tool stands in front of? Its kind, target, and the directories in
 * which it looks for headers: guessed from its name where that must be cheap, and known once it has
 * run with -v.
 */
#ifndef AWAITC_TOOL_TOOLCHAIN_H
#define AWAITC_TOOL_TOOLCHAIN_H

#include "analyzer/parse/expand.h"
#include "analyzer/tool/compile_command.h"
#include "analyzer/tool/process.h"

typedef struct toolchain {
    bool known; /* the below was said by the compiler; else guessed */
    bool is_clang;
    const char *triple;             /* NULL: not known */
    VEC(const char *) system_dirs;  /* the compiler's own excepted */
    VEC(const char *) private_dirs; /* of stdatomic.h and the like */
} toolchain;

/* Guesses by name, following links on PATH. */
toolchain toolchain_guess(arena *mem, const compile_command *cmd);

/* Adds the directories that such a compiler probably searches by default. */
void toolchain_guess_dirs(const toolchain *tc, const compile_command *cmd, include_search *search);

/*
 * Reads what -v printed on standard error.
 *
 * messages  gets what is left of the text: warnings and errors.
 */
toolchain toolchain_read(arena *mem, const compile_command *cmd, strview verbose,
                         strview *messages);

/* Whose is this header? `awaitc_dir` is awaitc's include directory. */
enum header_owner toolchain_owner(const toolchain *tc, const char *awaitc_dir, const char *path);

/* awaitc's include directory: beside the binary's own, or in the source tree; NULL if lost. */
const char *toolchain_awaitc_dir(arena *mem);

/* The arguments for libclang. */
void toolchain_clang_args(arena *mem, const toolchain *tc, const compile_command *cmd,
                          const char *awaitc_dir, const char *dir_of_input, argument_list *out);

#endif
