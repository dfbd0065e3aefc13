/* SPDX-License-Identifier: MIT */
/*
 * How does the tool run the target's preprocessor? With the user's own flags, on a text that is not
 * the file on disk but is found where the file is: quoted names are looked for beside it.
 */
#ifndef AWAITC_TOOL_PREPROCESS_H
#define AWAITC_TOOL_PREPROCESS_H

#include "analyzer/tool/toolchain.h"

/* How a compiler is made to read a text in place of a file. */
enum place_kind {
    PLACE_STDIN,   /* on standard input: quoted names are looked for in the working directory */
    PLACE_FD,      /* /proc/self/fd/N, with -iquote for the file's directory */
    PLACE_OVERLAY, /* clang: a virtual file system that shows the text under the file's name */
    PLACE_FILE,    /* a file of the same name in a private directory, with -iquote */
    PLACE_BESIDE   /* a hidden file beside the user's, where -iquote would find wrong headers */
};

/* What the pre-scan knows of a source that decides its place. */
struct place_needs {
    bool names_base_file; /* __BASE_FILE__ must be right: not standard input */
    bool quotes_clash;    /* -iquote would change what headers find */
};

typedef struct preprocess {
    arena *mem;
    const compile_command *cmd;
    const char *path;       /* as the user named it; "-" for standard input */
    const char *awaitc_dir; /* NULL: not found */
    toolchain tc;           /* a guess before the first run, what the compiler said after it */
    enum place_kind place;
    bool started;      /* the compiler could be run */
    strview messages;  /* of the last run that succeeded: its warnings */
    strview verbose;   /* all that it said on standard error */
    bool holds_errors; /* what a failed run says goes to `errors`, not to standard error */
    strview errors;
    bool names_setjmp; /* so does the last run's output; vfork and the like count */
} preprocess;

/* Sets up runs for one input. */
preprocess preprocess_for(arena *mem, const compile_command *cmd, const char *path,
                          struct place_needs needs, const char *awaitc_dir, const toolchain *guess);

/* Writes a hidden file beside `path`, registered to be removed; its name, or NULL after an error
 * message. */
const char *preprocess_write_beside(arena *mem, const char *path, strview text);

/* For expand_request: `context` is a preprocess. */
bool preprocess_run(void *context, strview text, strview *output);

/* Gives back the memory of the last run's output and messages. */
void preprocess_release(preprocess *p, strview output);

/* The compiler with the command's flags for a run, without an input. */
void preprocess_command(const preprocess *p, argument_list *argv);

enum header_owner preprocess_owner(void *context, const char *header_path);

/* Appends the flags by which `-isystem` brings awaitc's headers, if they are not found anyway. */
void preprocess_add_awaitc_dir(arena *mem, const char *awaitc_dir, argument_list *out);

/* The directory of a path for -iquote ("." if it has none), without its last slash. */
const char *preprocess_dir_of(arena *mem, const char *path);

/*
 * The overlay for clang that shows texts under the names of files.
 *
 * paths, fds  `count` files and the descriptors of their texts.
 *
 * The descriptor of the overlay's description, or -1.
 */
int preprocess_overlay(arena *mem, const char *const *paths, const int *fds, uint32_t count);

#endif
