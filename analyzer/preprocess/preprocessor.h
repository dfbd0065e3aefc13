/* SPDX-License-Identifier: MIT */
/*
 * What does the preprocessor make of a source, without starting the compiler? The compiler is asked
 * once for what it defines and where it looks; sources of the same flags are then preprocessed
 * here, and headers are read once for all of them. The text is as `-E -dD` prints it: the same
 * tokens on the same lines, with line markers, definitions and pragmas.
 *
 * Whatever is unusual or wrong (a missing header, #error, a bad paste, trigraphs, __DATE__) ends
 * the run with a reason: then the compiler itself has to run, and says what there is to say.
 */
#ifndef AWAITC_PREPROCESS_PREPROCESSOR_H
#define AWAITC_PREPROCESS_PREPROCESSOR_H

#include <stdbool.h>

#include "analyzer/base/arena.h"
#include "analyzer/base/strview.h"

/* Headers read so far, and what including them did. For one thread at a time. */
typedef struct preprocessor preprocessor;

/* One set of flags in one working directory. */
typedef struct pp_config pp_config;

struct pp_directory {
    const char *path;
    bool is_system; /* its headers get flag 3 in line markers */
};

struct pp_setup {
    const char *working_directory; /* absolute: relative names start here */
    /* What the compiler prints for an empty file with -E -dD and these flags, without the file's
     * own line markers: definitions, and the text of -include. */
    strview predefined;
    /* -iquote first, then those of "<...>" names in their order */
    const struct pp_directory *directories;
    unsigned directory_count, quote_count;
    bool has_trigraphs;
    bool shortens_paths; /* gcc: a system header is named by its real path if that is shorter */
    /* Of preprocessor_asked_names, which are defined: 1 each. */
    const bool *is_asked_name;
    /*
     * The values that the compiler gives `count` questions, as "__has_attribute(cold)". May run it.
     *
     * values  -1: not known
     */
    void (*ask)(void *context, const char *const *questions, unsigned count, long *values);
    void *context;
};

/* A preprocessor that knows nothing yet; the caller destroys it. */
preprocessor *preprocessor_create(void);

/* Frees *p with its configurations and sets it to NULL; accepts NULL. */
void preprocessor_destroy(preprocessor **p);

/* Bytes that it holds. */
size_t preprocessor_bytes(const preprocessor *p);

/* The names that only the compiler's preprocessor can answer; ends with NULL. */
const char *const *preprocessor_asked_names(void);

/*
 * Takes in a set of flags. All of `setup` is copied, but for `context`.
 *
 * NULL if the definitions are not understood.
 */
pp_config *preprocessor_configure(preprocessor *p, const struct pp_setup *setup);

/*
 * Preprocesses one source.
 *
 * mem   for what this run needs
 * name  the source as line markers name it; quoted headers are looked for beside it
 * text  of the source, borrowed for the call
 * out   the text, which is the preprocessor's and stays until its next run
 *
 * NULL, or why the compiler has to do it.
 */
const char *preprocessor_run(preprocessor *p, pp_config *config, arena *mem, const char *name,
                             strview text, strview *out);

#endif
