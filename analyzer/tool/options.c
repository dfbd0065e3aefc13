/* SPDX-License-Identifier: MIT */
/*
 * The usual forms: `--name=value`, `--name value`, `-n value`, `-nvalue`; `--` ends the options and
 * starts the compile flags; `-` is a file.
 */
#include "analyzer/tool/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct option_line {
    const char *name, *short_name, *value, *help;
} table[OPTION_COUNT] = {
#define OPTION(id, name, short_name, value, help) [OPTION_##id] = {name, short_name, value, help},
#include "analyzer/tool/options.def"
#undef OPTION
};

int options_misuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("awaitc: error: ", stderr);
    vfprintf(stderr, format, args);
    fputs(" [awaitc-usage]\n", stderr);
    va_end(args);
    return 2;
}

/* The option that an argument names, and its value if that is joined. */
static enum option_id find_option(const struct command_usage *usage, const char *arg,
                                  const char **joined)
{
    *joined = NULL;
    for (size_t i = 0; i < usage->option_count; i++) {
        const struct option_line *line = &table[usage->options[i]];
        size_t len = strlen(line->name);
        if (strncmp(arg, line->name, len) == 0 && (arg[len] == '\0' || arg[len] == '=')) {
            *joined = arg[len] == '=' ? arg + len + 1 : NULL;
            return usage->options[i];
        }
        if (line->short_name != NULL && strncmp(arg, line->short_name, 2) == 0 && arg[1] != '-' &&
            (arg[2] == '\0' || line->value != NULL)) {
            *joined = arg[2] != '\0' ? arg + 2 : NULL;
            return usage->options[i];
        }
    }
    return OPTION_COUNT;
}

static bool read_option(const struct command_usage *usage, int argc, char *const *argv, int *i,
                        options *out)
{
    const char *joined;
    enum option_id id = find_option(usage, argv[*i], &joined);
    if (id == OPTION_COUNT) {
        options_misuse("%s has no option '%s'; see `awaitc %s --help`", usage->name, argv[*i],
                       usage->name);
        return false;
    }
    if (table[id].value == NULL) {
        if (joined != NULL)
            options_misuse("option '%s' takes no value", table[id].name);
        out->value[id] = "";
        return joined == NULL;
    }
    if (joined == NULL && *i + 1 >= argc) {
        options_misuse("option '%s' needs a value", argv[*i]);
        return false;
    }
    out->value[id] = joined != NULL ? joined : argv[++*i];
    return true;
}

bool options_read(arena *mem, const struct command_usage *usage, int argc, char *const *argv,
                  options *out)
{
    *out = (options){0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            out->has_flags = true;
            out->flags = argv + i + 1;
            out->flag_count = argc - i - 1;
            return true;
        }
        if (argv[i][0] != '-' || argv[i][1] == '\0')
            VEC_PUSH(mem, &out->files, argv[i]);
        else if (!read_option(usage, argc, argv, &i, out))
            return false;
    }
    return true;
}

void options_help(const struct command_usage *usage)
{
    printf("Usage: awaitc %s %s\n\n%s\n\nOptions:\n", usage->name, usage->synopsis, usage->about);
    for (size_t i = 0; i < usage->option_count; i++) {
        const struct option_line *line = &table[usage->options[i]];
        char left[64];
        snprintf(left, sizeof left, "%s%s%s%s%s", line->short_name ? line->short_name : "",
                 line->short_name ? ", " : "", line->name, line->value ? " " : "",
                 line->value ? line->value : "");
        printf("  %-24s %s\n", left, line->help);
    }
}
