/* SPDX-License-Identifier: MIT */
/*
 * A file's own entry in the database gives its flags; what stands behind "--" overrides the
 * database; with neither, the file is read as plain C11. A file whose command cannot be used is
 * named, and the others are still found.
 */
#include "analyzer/tool/lint_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/base/word_set.h"
#include "analyzer/tool/compdb.h"

/* What is found, and with what it is looked for. */
struct search {
    arena *mem;
    const options *opts;
    const char *from;
    compdb *databases;
    word_set seen; /* by shown path: a file listed twice is read once */
    lint_files *out;
};

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

static int broken_database(const char *message)
{
    fputs(message, stderr);
    return 2;
}

static int bad_command(const char *shown, const char *failure)
{
    fprintf(stderr, "%s: error: its compile command cannot be used: %s [awaitc-input]\n", shown,
            failure);
    return 2;
}

static int add(struct search *s, const struct lint_file *file)
{
    uint32_t before = s->seen.count;
    word_set_add(&s->seen, sv_from(file->shown));
    if (s->seen.count != before)
        VEC_PUSH(s->mem, s->out, *file);
    return 0;
}

/* Without a database: the flags behind "--", or plain C11. */
static int add_plain(struct search *s, struct lint_file *file)
{
    VEC(char *) words = {0};
    static char compiler[] = "cc", standard[] = "-std=gnu11";
    const char *failure;
    VEC_PUSH(s->mem, &words, compiler);
    if (!s->opts->has_flags)
        VEC_PUSH(s->mem, &words, standard);
    for (int i = 0; i < s->opts->flag_count; i++)
        VEC_PUSH(s->mem, &words, s->opts->flags[i]);
    file->cmd = compile_command_read(s->mem, (int)words.count, words.at, &failure);
    file->has_flags = s->opts->has_flags;
    return file->cmd == NULL ? bad_command(file->shown, failure) : add(s, file);
}

/* With what a database entry says. */
static int add_entry(struct search *s, const struct compdb_entry *entry, struct lint_file *file)
{
    const char *failure;
    file->directory = entry->directory;
    file->path = entry->file;
    file->has_flags = true;
    file->cmd =
        compile_command_read(s->mem, (int)entry->arguments.count, entry->arguments.at, &failure);
    return file->cmd == NULL ? bad_command(file->shown, failure) : add(s, file);
}

static int add_named(struct search *s, const char *name)
{
    struct compdb_entry entry;
    const char *message = NULL, *dir = s->opts->value[OPTION_DATABASE];
    bool is_stdin = strcmp(name, "-") == 0;
    if (!is_stdin && access(name, R_OK) != 0)
        return file_error(name);
    struct lint_file file = {
        .path = name, .shown = is_stdin ? "<stdin>" : lint_shown_path(s->mem, s->from, NULL, name)};
    if (s->opts->has_flags || is_stdin)
        return add_plain(s, &file);
    switch (compdb_find(s->databases, dir, name, &entry, &message)) {
    case COMPDB_BROKEN:
        return broken_database(message);
    case COMPDB_FOUND:
        return add_entry(s, &entry, &file);
    case COMPDB_NO_DATABASE:
        return dir != NULL ? options_misuse("no compile_commands.json in '%s'", dir)
                           : add_plain(s, &file);
    case COMPDB_NO_ENTRY:
        return add_plain(s, &file);
    }
    return 2;
}

static int add_database(struct search *s)
{
    compdb_entries entries = {0};
    const char *message = NULL, *dir = s->opts->value[OPTION_DATABASE];
    enum compdb_status status = compdb_all(s->mem, dir, &entries, &message);
    if (status == COMPDB_BROKEN)
        return broken_database(message);
    if (status != COMPDB_FOUND)
        return dir != NULL
                   ? options_misuse("no compile_commands.json in '%s'", dir)
                   : options_misuse("no files given, and no compile_commands.json here or above");
    int worst = 0;
    for (size_t i = 0; i < entries.count; i++) {
        const struct compdb_entry *entry = &entries.at[i];
        struct lint_file file = {
            .shown = lint_shown_path(s->mem, s->from, entry->directory, entry->file)};
        int result = add_entry(s, entry, &file);
        worst = result > worst ? result : worst;
    }
    return worst;
}

int lint_files_find(arena *mem, const options *opts, lint_files *out)
{
    char cwd[PATH_MAX];
    if (getcwd(cwd, sizeof cwd) == NULL)
        return file_error(".");
    struct search s = {.mem = mem,
                       .opts = opts,
                       .from = arena_strndup(mem, cwd, strlen(cwd)),
                       .databases = compdb_new(mem),
                       .seen = word_set_in(mem),
                       .out = out};
    if (opts->files.count == 0)
        return add_database(&s);
    int worst = 0;
    for (size_t i = 0; i < opts->files.count; i++) {
        int status = add_named(&s, opts->files.at[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}
