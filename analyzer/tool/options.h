/* SPDX-License-Identifier: MIT */
/*
 * What was asked for on the command line? One parser for all commands but `cc`, whose arguments
 * belong to the compiler.
 */
#ifndef AWAITC_TOOL_OPTIONS_H
#define AWAITC_TOOL_OPTIONS_H

#include <stdbool.h>

#include "analyzer/base/vec.h"

enum option_id {
#define OPTION(id, name, short_name, value, help) OPTION_##id,
#include "analyzer/tool/options.def"
#undef OPTION
    OPTION_COUNT
};

struct command_usage {
    const char *name;     /* "lower" */
    const char *synopsis; /* "FILE.c [-o OUT.c] ..." */
    const char *about;    /* a few lines */
    const enum option_id *options;
    size_t option_count;
};

typedef struct options {
    const char *value[OPTION_COUNT]; /* NULL: not given; "" for one without value */
    VEC(const char *) files;
    char *const *flags; /* what stands behind "--" */
    int flag_count;
    bool has_flags;
} options;

/* Reads argv (argv[0] is the command's name). false after one line on standard error. */
bool options_read(arena *mem, const struct command_usage *usage, int argc, char *const *argv,
                  options *out);

/* Prints a command's help on standard output. */
void options_help(const struct command_usage *usage);

/* "awaitc: error: ... [awaitc-usage]" on standard error; returns the exit status for it. */
int options_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
