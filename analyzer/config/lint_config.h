/* SPDX-License-Identifier: MIT */
/*
 * What does `.awaitc.yaml` say? One struct a file. The nearest file upwards from a source counts,
 * alone; where there is none, the defaults. Errors have file, line and column; an unknown key is
 * named with the nearest known one.
 */
#ifndef AWAITC_CONFIG_LINT_CONFIG_H
#define AWAITC_CONFIG_LINT_CONFIG_H

#include "analyzer/base/strview.h"
#include "analyzer/base/vec.h"
#include "analyzer/diag/diag.h"

/* A function argument that is called later, or what is assigned to a field of a struct. */
struct lint_callback {
    const char *function; /* NULL: a field */
    uint32_t argument;    /* of the function, 0-based */
    const char *field_of; /* the struct's name ("ngx_event_s"), with field; NULL: a function */
    const char *field;
    struct diag_place place;
};

typedef VEC(struct lint_callback) lint_callback_list;

/* How the acquiring function of a pair tells that it did not acquire. */
enum lint_pair_fails { PAIR_NEVER_FAILS, PAIR_FAILS_NONZERO, PAIR_FAILS_NEGATIVE, PAIR_FAILS_NULL };

/* What must not be held over an await. */
struct lint_pair {
    const char *acquire, *release;
    enum lint_pair_fails fails;
    struct diag_place place;
};

/* A file or folder that the configuration names. */
struct lint_path {
    const char *path; /* as written if absolute, otherwise joined to the configuration's folder */
    struct diag_place place;
};

/* Options of checks: LINT_LARGE_FRAME_LIMIT ... */
enum lint_option {
#define OPTION(name, rule, option, type, value, help) LINT_##name,
#include "rules/rule_options.def"
#undef OPTION
    LINT_OPTION_COUNT
};

typedef struct lint_config {
    const char *file;   /* NULL: the defaults */
    const char *checks; /* list of globs; NULL: not said */
    enum diag_severity fail_on;
    bool fail_on_given;
    bool strict;
    VEC(const char *) async_annotations;
    lint_callback_list loop_callbacks;
    lint_callback_list work_callbacks;
    VEC(struct lint_pair) pairs;
    VEC(struct lint_path) facts;
    VEC(struct lint_path) rules;
    uint64_t options[LINT_OPTION_COUNT]; /* bytes, a number, or 0 and 1 for no and yes */
} lint_config;

/* Finds and remembers configurations. */
typedef struct lint_configs lint_configs;

/*
 * mem      holds all that is read.
 * only     --config=FILE: this file for all sources; NULL: searched for.
 * sink     gets errors, once a file. Both are borrowed as long as the result is used.
 */
lint_configs *lint_configs_new(arena *mem, const char *only, diag_sink *sink);

/* The configuration for a source; NULL after errors in its file. Looks once into each folder. Not
 * for several threads at once. */
const lint_config *lint_config_of(lint_configs *configs, const char *source);

/* The defaults. */
lint_config *lint_config_default(arena *mem);

/* Reads the text of a configuration. `file` is its name in messages, and relative paths in it are
 * of its folder. NULL after errors in `sink`. */
lint_config *lint_config_parse(arena *mem, const char *file, strview text, diag_sink *sink);

/* "awaitc-large-frame.limit" and "a frame above ...", for help and documentation. */
const char *lint_option_name(enum lint_option option);
const char *lint_option_help(enum lint_option option);

#endif
