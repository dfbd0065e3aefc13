/* SPDX-License-Identifier: MIT */
/*
 * A folder's configuration is its own `.awaitc.yaml`, or its parent's configuration: each folder is
 * looked at once. Folders are known by their real paths; files below the current folder are named
 * relative to it.
 */
#include "analyzer/config/lint_config.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/text_map.h"
#include "analyzer/source/source_cache.h"

static const char config_name[] = ".awaitc.yaml";

struct folder {
    const lint_config *config; /* NULL: its file has errors */
};

struct lint_configs {
    arena *mem;
    diag_sink *sink;
    source_cache *texts;
    const char *current; /* the current folder, NULL if unknown */
    struct folder *only; /* of --config, NULL without */
    text_map folders;    /* real path -> struct folder */
};

static const char *const option_names[LINT_OPTION_COUNT] = {
#define OPTION(name, rule, option, type, value, help) [LINT_##name] = rule "." option,
#include "rules/rule_options.def"
#undef OPTION
};

static const char *const option_helps[LINT_OPTION_COUNT] = {
#define OPTION(name, rule, option, type, value, help) [LINT_##name] = help,
#include "rules/rule_options.def"
#undef OPTION
};

const char *lint_option_name(enum lint_option option)
{
    return option_names[option];
}

const char *lint_option_help(enum lint_option option)
{
    return option_helps[option];
}

lint_config *lint_config_default(arena *mem)
{
    lint_config *config = ARENA_NEW(mem, lint_config);
    config->fail_on = DIAG_WARNING;
#define OPTION(name, rule, option, type, value, help) config->options[LINT_##name] = value;
#include "rules/rule_options.def"
#undef OPTION
    return config;
}

static const lint_config *read_config(lint_configs *configs, const char *file)
{
    strview text;
    errno = 0;
    if (source_cache_text(configs->texts, file, &text))
        return lint_config_parse(configs->mem, arena_strndup(configs->mem, file, strlen(file)),
                                 text, configs->sink);
    diag_report(configs->sink, DIAG_INPUT, (struct diag_place){file, 0, 0},
                "the configuration cannot be read: %s",
                errno != 0 ? strerror(errno) : "it is not a regular file");
    return NULL;
}

static struct folder *folder_new(lint_configs *configs, const lint_config *config)
{
    struct folder *folder = ARENA_NEW(configs->mem, struct folder);
    folder->config = config;
    return folder;
}

lint_configs *lint_configs_new(arena *mem, const char *only, diag_sink *sink)
{
    lint_configs *configs = ARENA_NEW(mem, lint_configs);
    char current[PATH_MAX];
    configs->mem = mem;
    configs->sink = sink;
    configs->texts = source_cache_new(mem);
    configs->folders = text_map_in(mem);
    if (getcwd(current, sizeof current) != NULL)
        configs->current = arena_strndup(mem, current, strlen(current));
    if (only != NULL)
        configs->only = folder_new(configs, read_config(configs, only));
    return configs;
}

/* The path relative to the current folder, if it is below. */
static const char *shown_path(const lint_configs *configs, const char *path)
{
    size_t len = configs->current == NULL ? 0 : strlen(configs->current);
    bool is_below = len > 1 && strncmp(path, configs->current, len) == 0 && path[len] == '/';
    return is_below ? path + len + 1 : path;
}

/* From the folder upwards until one is known or has a file; then for all of those the same. */
static struct folder *folder_of(lint_configs *configs, const char *real)
{
    VEC(const char *) passed = {0};
    char *path = arena_strndup(configs->mem, real, strlen(real));
    struct folder *found = NULL;
    while (found == NULL) {
        found = text_map_get(&configs->folders, path);
        if (found != NULL)
            break;
        VEC_PUSH(configs->mem, &passed, arena_strndup(configs->mem, path, strlen(path)));
        const char *file = arena_printf(configs->mem, "%s/%s", path, config_name);
        struct stat st;
        if (stat(file, &st) == 0 || errno == EACCES)
            found = folder_new(configs, read_config(configs, shown_path(configs, file)));
        char *slash = strrchr(path, '/');
        if (found == NULL && slash == NULL)
            found = folder_new(configs, lint_config_default(configs->mem));
        if (slash != NULL)
            *slash = '\0'; /* at last "", for the root */
    }
    for (size_t i = 0; i < passed.count; i++)
        *text_map_at(&configs->folders, passed.at[i]) = found;
    return found;
}

const lint_config *lint_config_of(lint_configs *configs, const char *source)
{
    char real[PATH_MAX];
    if (configs->only != NULL)
        return configs->only->config;
    const char *slash = strrchr(source, '/');
    const char *folder =
        slash == NULL ? "." : arena_printf(configs->mem, "%.*s", (int)(slash - source) + 1, source);
    if (realpath(folder, real) == NULL)
        return folder_of(configs, configs->current == NULL ? "" : configs->current)->config;
    return folder_of(configs, strcmp(real, "/") == 0 ? "" : real)->config;
}
