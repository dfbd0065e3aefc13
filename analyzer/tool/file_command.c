/* SPDX-License-Identifier: MIT */
/*
 * Flags behind "--" win; then a database, named or found upwards from the file; then plain C11.
 */
#include "analyzer/tool/file_command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/check.h"
#include "analyzer/tool/compdb.h"

int file_command_error(const char *what, const char *path)
{
    fprintf(stderr, "awaitc: error: cannot %s '%s': %s [awaitc-input]\n", what, path,
            strerror(errno));
    return 2;
}

/* The input of the database's command that is our file, as the command spells it. */
static const char *input_of(const compile_command *cmd, const char *file)
{
    for (size_t i = 0; i < cmd->inputs.count; i++) {
        const char *path = cmd->inputs.at[i].path;
        const char *slash = strrchr(path, '/'), *other = strrchr(file, '/');
        if (strcmp(slash ? slash + 1 : path, other ? other + 1 : file) == 0)
            return path;
    }
    return file;
}

int file_command_find(arena *mem, const options *opts, const char *file, struct file_command *out)
{
    struct compdb_entry entry;
    const char *message = NULL, *dir = opts->value[OPTION_DATABASE];
    VEC(char *) words = {0};
    bool from_stdin = strcmp(file, "-") == 0;
    out->path = file;
    enum compdb_status status = COMPDB_NO_DATABASE;
    if (!opts->has_flags && !from_stdin)
        status = compdb_find(compdb_new(mem), dir, file, &entry, &message);
    if (status == COMPDB_BROKEN) {
        fputs(message, stderr);
        return 2;
    }
    if (status == COMPDB_FOUND) {
        if (chdir(entry.directory) != 0)
            return file_command_error("enter", entry.directory);
        const char *failure;
        out->cmd =
            compile_command_read(mem, (int)entry.arguments.count, entry.arguments.at, &failure);
        if (out->cmd == NULL)
            return options_misuse("%s", failure);
        out->path = input_of(out->cmd, entry.file);
        return 0;
    }
    if (dir != NULL && status == COMPDB_NO_DATABASE && !opts->has_flags && !from_stdin)
        return options_misuse("no compile_commands.json in '%s'", dir);
    static char compiler[] = "cc", standard[] = "-std=gnu11";
    VEC_PUSH(mem, &words, compiler);
    if (!opts->has_flags)
        VEC_PUSH(mem, &words, standard);
    for (int i = 0; i < opts->flag_count; i++)
        VEC_PUSH(mem, &words, opts->flags[i]);
    const char *failure;
    out->cmd = compile_command_read(mem, (int)words.count, words.at, &failure);
    return out->cmd != NULL ? 0 : options_misuse("%s", failure);
}
