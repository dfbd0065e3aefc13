/* SPDX-License-Identifier: MIT */
/*
 * What does a command line of gcc or clang ask for? Its arguments, response files expanded, each
 * classified by compile_flags.def: which compiler, what it makes of which inputs, and which
 * arguments the preprocessor run and libclang need.
 */
#ifndef AWAITC_TOOL_COMPILE_COMMAND_H
#define AWAITC_TOOL_COMPILE_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/vec.h"
#include "analyzer/parse/include_search.h"

enum flag_id {
    FLAG_INPUT,  /* no flag: a file, or "-" */
    FLAG_DASHES, /* "--" */
    FLAG_OTHER,
    FLAG_OUTPUT,
    FLAG_COMPILE,
    FLAG_ASSEMBLY,
    FLAG_PREPROCESS,
    FLAG_SYNTAX,
    FLAG_LANGUAGE,
    FLAG_DEPEND_ONLY,
    FLAG_DEPEND,
    FLAG_DEPEND_FILE,
    FLAG_DEPEND_TARGET,
    FLAG_DEPEND_PHONY,
    FLAG_DEPEND_OTHER,
    FLAG_TO_PREPROCESSOR,
    FLAG_QUERY,
    FLAG_DUMP_NAME,
    FLAG_SIDE_FILES,
    FLAG_INCLUDE_DIR,
    FLAG_QUOTE_DIR,
    FLAG_SYSTEM_DIR,
    FLAG_AFTER_DIR,
    FLAG_FORCED_INCLUDE,
    FLAG_DEFINE,
    FLAG_UNDEFINE,
    FLAG_SYSROOT,
    FLAG_NO_STANDARD_DIRS,
    FLAG_PREPROCESSED,
    FLAG_FILE_MAP,
    FLAG_MACRO_MAP,
    FLAG_DEBUG_MAP,
    FLAG_STANDARD,
    FLAG_TRIGRAPHS,
    FLAG_PLAN9,
    FLAG_OPENMP, /* kept from libclang, which hides what its pragmas govern */
    FLAG_TARGET,
    FLAG_LINKER
};

enum flag_style { STYLE_EXACT, STYLE_JOINED, STYLE_SEPARATE, STYLE_EITHER };
enum flag_use { USE_NEITHER, USE_EXPAND, USE_BOTH };

/* One argument with its value. */
struct compile_arg {
    enum flag_id id;
    enum flag_use use;
    const char *text;     /* as given */
    const char *value;    /* joined or separate; NULL: none */
    const char *separate; /* the next argument, if that is the value; NULL */
};

enum input_language { INPUT_C, INPUT_PREPROCESSED_C, INPUT_OTHER };

struct compile_input {
    const char *path; /* "-": standard input */
    enum input_language language;
    uint32_t arg; /* index into args */
};

enum compile_mode {
    MODE_LINK,
    MODE_COMPILE,
    MODE_ASSEMBLY,
    MODE_SYNTAX,
    MODE_PREPROCESS,
    MODE_QUERY
};

typedef struct compile_command {
    const char *const *compiler; /* wrappers (ccache, ...) first */
    uint32_t compiler_count, wrapper_count;
    VEC(struct compile_arg) args;
    VEC(struct compile_input) inputs;
    enum compile_mode mode;
    const char *output; /* -o, NULL */
    bool depends;       /* -MD or -MMD, or such a -Wp, */
    bool depends_by_wp;
    bool depends_only;       /* -M, -MM */
    const char *depend_file; /* -MF; NULL */
    bool has_depend_target, depend_phony;
    bool side_files; /* a flag that writes more than the output */
    bool trigraphs;
} compile_command;

/*
 * Reads `argv` (without awaitc's own words); argv[0] is the compiler or the first wrapper. NULL if
 * it is empty, with *failure set.
 */
compile_command *compile_command_read(arena *mem, int argc, char *const *argv,
                                      const char **failure);

/* The name of the compiler proper. */
const char *compile_command_compiler(const compile_command *cmd);

/* Sets up the search of the command's directories, the compiler's own excepted. */
void compile_command_search(const compile_command *cmd, include_search *search);

/* Does this flag (-Wp,-MD,x) ask for dependencies? *file gets where to, or NULL. */
bool compile_wp_depends(arena *mem, const char *value, const char **file);

#endif
