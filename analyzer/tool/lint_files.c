/* SPDX-License-Identifier: MIT */
/*
 * A file's own entry in the database gives its flags; what stands behind "--" overrides the
 * database; with neither, the file is read as plain C11.
 */
#include "analyzer/tool/lint_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/tool/compdb.h"

/* ---- paths ----------------------------------------------------------------------------------- */

/* An absolute path without ".", ".." and empty parts. */
static const char *plain_path(arena *mem, const char *path)
{
    strbuf out = strbuf_in(mem);
    for (const char *at = path; *at != '\0';) {
        while (*at == '/')
            at++;
        const char *end = strchr(at, '/');
        size_t len = end == NULL ? strlen(at) : (size_t)(end - at);
        if (len == 2 && at[0] == '.' && at[1] == '.') {
            while (out.len > 0 && out.at[--out.len] != '/')
                continue;
        } else if (len != 0 && !(len == 1 && at[0] == '.')) {
            strbuf_char(&out, '/');
            strbuf_add(&out, at, len);
        }
        at += len;
    }
    return arena_strndup(mem, out.len == 0 ? "/" : out.at, out.len == 0 ? 1 : out.len);
}

const char *lint_shown_path(arena *mem, const char *from, const char *directory, const char *path)
{
    if (path[0] == '<' || path[0] == '\0')
        return path;
    const char *base = directory == NULL     ? from
                       : directory[0] == '/' ? directory
                                             : arena_printf(mem, "%s/%s", from, directory);
    const char *full =
        plain_path(mem, path[0] == '/' ? path : arena_printf(mem, "%s/%s", base, path));
    size_t len = strlen(from);
    bool is_below = strncmp(full, from, len) == 0 && full[len] == '/';
    return is_below ? full + len + 1 : full;
}

/* ---- commands -------------------------------------------------------------------------------- */

static int file_error(const char *path)
{
    fprintf(stderr, "awaitc: error: cannot read '%s': %s [awaitc-input]\n", path, strerror(errno));
    return 2;
}

static const compile_command *plain_command(arena *mem, const options *opts)
{
    VEC(char *) words = {0};
    static char compiler[] = "cc", standard[] = "-std=gnu11";
    const char *failure;
    VEC_PUSH(mem, &words, compiler);
    if (!opts->has_flags)
        VEC_PUSH(mem, &words, standard);
    for (int i = 0; i < opts->flag_count; i++)
        VEC_PUSH(mem, &words, opts->flags[i]);
    return compile_command_read(mem, (int)words.count, words.at, &failure);
}

/* Fills in what a database entry says; an exit status. */
static int from_entry(arena *mem, const char *from, struct compdb_entry *entry,
                      struct lint_file *file)
{
    const char *failure;
    file->cmd =
        compile_command_read(mem, (int)entry->arguments.count, entry->arguments.at, &failure);
    if (file->cmd == NULL)
        return options_misuse("%s", failure);
    file->directory = entry->directory;
    file->path = entry->file;
    file->has_flags = true;
    file->shown = lint_shown_path(mem, from, entry->directory, entry->file);
    return 0;
}

static int add_named(arena *mem, const options *opts, const char *from, const char *name,
                     lint_files *out)
{
    struct lint_file file = {.shown = name, .path = name, .has_flags = opts->has_flags};
    struct compdb_entry entry;
    const char *message = NULL, *dir = opts->value[OPTION_DATABASE];
    bool is_stdin = strcmp(name, "-") == 0;
    if (!is_stdin && access(name, R_OK) != 0)
        return file_error(name);
    enum compdb_status status = COMPDB_NO_DATABASE;
    if (!opts->has_flags && !is_stdin)
        status = compdb_find(mem, dir, name, &entry, &message);
    if (status == COMPDB_BROKEN)
        return options_misuse("%s", message);
    if (dir != NULL && status == COMPDB_NO_DATABASE && !opts->has_flags && !is_stdin)
        return options_misuse("no compile_commands.json in '%s'", dir);
    int result = 0;
    if (status == COMPDB_FOUND)
        result = from_entry(mem, from, &entry, &file);
    else
        file.cmd = plain_command(mem, opts);
    file.shown = is_stdin ? "<stdin>" : lint_shown_path(mem, from, NULL, name);
    if (result == 0)
        VEC_PUSH(mem, out, file);
    return result;
}

static int add_database(arena *mem, const options *opts, const char *from, lint_files *out)
{
    compdb_entries entries = {0};
    const char *message = NULL, *dir = opts->value[OPTION_DATABASE];
    enum compdb_status status = compdb_all(mem, dir, &entries, &message);
    if (status == COMPDB_BROKEN)
        return options_misuse("%s", message);
    if (status != COMPDB_FOUND)
        return dir != NULL
                   ? options_misuse("no compile_commands.json in '%s'", dir)
                   : options_misuse("no files given, and no compile_commands.json here or above");
    for (size_t i = 0; i < entries.count; i++) {
        struct lint_file file = {0};
        int result = from_entry(mem, from, &entries.at[i], &file);
        if (result != 0)
            return result;
        VEC_PUSH(mem, out, file);
    }
    return 0;
}

int lint_files_find(arena *mem, const options *opts, lint_files *out)
{
    char cwd[PATH_MAX];
    if (getcwd(cwd, sizeof cwd) == NULL)
        return file_error(".");
    const char *from = arena_strndup(mem, cwd, strlen(cwd));
    if (opts->files.count == 0)
        return add_database(mem, opts, from, out);
    int worst = 0;
    for (size_t i = 0; i < opts->files.count; i++) {
        int status = add_named(mem, opts, from, opts->files.at[i], out);
        worst = status > worst ? status : worst;
    }
    return worst;
}
