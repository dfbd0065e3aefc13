/* SPDX-License-Identifier: MIT */
/*
 * What does a compiler define, and where does it look, with the flags of a source? It is asked once
 * for all sources whose flags differ in nothing but plain -D and -U: those are lines of text, which
 * need no compiler.
 */
#ifndef AWAITC_TOOL_LINT_PROBE_H
#define AWAITC_TOOL_LINT_PROBE_H

#include "analyzer/base/vec.h"
#include "analyzer/preprocess/preprocessor.h"
#include "analyzer/tool/preprocess.h"

struct probe_language;

/* What the compiler said about a set of flags. */
struct lint_probe {
    const char *key;
    const compile_command *cmd;
    const char *awaitc_dir; /* NULL: not found */
    bool is_understood;     /* else the rest says nothing */
    bool is_clang;
    strview predefined; /* by the compiler and the flags, without the source's plain -D and -U */
    VEC(struct pp_directory) directories;
    unsigned quote_count;
    const bool *is_asked_name; /* of preprocessor_asked_names */
    struct probe_language *language;
};

/* What was learned so far. */
struct lint_probes {
    arena *mem; /* holds all of it */
    VEC(struct lint_probe *) list;
    VEC(struct probe_language *) languages;
};

/*
 * What the compiler says for this command, asked at the first such flags.
 *
 * mem         for the question alone
 * cwd         the working directory, in which the process is
 * awaitc_dir  of awaitc's headers, or NULL
 */
struct lint_probe *lint_probe_of(struct lint_probes *probes, arena *mem, const compile_command *cmd,
                                 const char *cwd, const char *awaitc_dir);

/* The #define and #undef lines of the command's plain -D and -U, in `mem`. */
strview lint_probe_definitions(arena *mem, const compile_command *cmd);

/* For pp_setup: `context` is a struct lint_probe. Runs the compiler for what no one asked yet. */
void lint_probe_ask(void *context, const char *const *questions, unsigned count, long *answers);

/* A run over one source or, with path "-", over a text. */
preprocess lint_probe_run(arena *mem, const compile_command *cmd, const char *path,
                          const char *awaitc_dir);

/* The flags of a command, by which sources share what is known; lives in `mem`. */
const char *lint_probe_key(arena *mem, const compile_command *cmd, const char *cwd,
                           const char *awaitc_dir);

#endif
