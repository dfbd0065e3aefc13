/* SPDX-License-Identifier: MIT */
/*
 * The same pipeline as for `cc`, with the flags from behind "--", from a compilation database, or
 * those of plain C11. With a database the work is done in the command's own directory and under its
 * own spelling of the file, so that the text is the one that the build gets.
 */
#include "analyzer/tool/cmd_lower.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/tool/compdb.h"
#include "analyzer/tool/options.h"
#include "analyzer/tool/pipeline.h"

static const enum option_id taken[] = {OPTION_OUTPUT, OPTION_DATABASE, OPTION_NO_LINE,
                                       OPTION_DUMP_AFTER, OPTION_HELP};

static const struct command_usage usage = {
    .name = "lower",
    .synopsis = "FILE.c [-o OUT.c] [-p DIR] [-- FLAGS...]",
    .about =
        "Writes the C that awaitc makes of FILE.c. '-' is standard input or output. Compile\n"
        "flags come from behind '--', or from a compilation database found with -p or upwards\n"
        "from the file (also in build/).",
    .options = taken,
    .option_count = COUNTOF(taken)};

struct lower_job {
    arena *mem;
    options opts;
    const char *file;   /* as given */
    const char *path;   /* as the compile command has it */
    const char *output; /* absolute; "-" */
    compile_command *cmd;
};

static int file_error(const char *what, const char *path)
{
    fprintf(stderr, "awaitc: error: cannot %s '%s': %s [awaitc-input]\n", what, path,
            strerror(errno));
    return 2;
}

/* The input of the database's command that is our file, as the command spells it. */
static const char *input_of(const struct lower_job *job, const char *file)
{
    for (size_t i = 0; i < job->cmd->inputs.count; i++) {
        const char *path = job->cmd->inputs.at[i].path;
        const char *slash = strrchr(path, '/'), *other = strrchr(file, '/');
        if (strcmp(slash ? slash + 1 : path, other ? other + 1 : file) == 0)
            return path;
    }
    return file;
}

/* Finds the flags; an exit status, 0 if all is well. */
static int find_flags(struct lower_job *job)
{
    struct compdb_entry entry;
    const char *message = NULL, *dir = job->opts.value[OPTION_DATABASE];
    VEC(char *) words = {0};
    bool from_stdin = strcmp(job->file, "-") == 0;
    enum compdb_status status = COMPDB_NO_DATABASE;
    if (!job->opts.has_flags && !from_stdin)
        status = compdb_find(job->mem, dir, job->file, &entry, &message);
    if (status == COMPDB_BROKEN)
        return options_misuse("%s", message);
    if (status == COMPDB_FOUND) {
        if (chdir(entry.directory) != 0)
            return file_error("enter", entry.directory);
        const char *failure;
        job->cmd = compile_command_read(job->mem, (int)entry.arguments.count, entry.arguments.at,
                                        &failure);
        if (job->cmd == NULL)
            return options_misuse("%s", failure);
        job->path = input_of(job, entry.file);
        return 0;
    }
    if (dir != NULL && status == COMPDB_NO_DATABASE && !job->opts.has_flags && !from_stdin)
        return options_misuse("no compile_commands.json in '%s'", dir);
    static char compiler[] = "cc", standard[] = "-std=gnu11";
    VEC_PUSH(job->mem, &words, compiler);
    if (!job->opts.has_flags)
        VEC_PUSH(job->mem, &words, standard);
    for (int i = 0; i < job->opts.flag_count; i++)
        VEC_PUSH(job->mem, &words, job->opts.flags[i]);
    const char *failure;
    job->cmd = compile_command_read(job->mem, (int)words.count, words.at, &failure);
    return job->cmd != NULL ? 0 : options_misuse("%s", failure);
}

static int write_output(const struct lower_job *job, strview text)
{
    if (strcmp(job->output, "-") == 0) {
        if (fwrite(text.at, 1, text.len, stdout) == text.len && fflush(stdout) == 0)
            return 0;
        return file_error("write", "standard output");
    }
    return process_write_file(job->mem, job->output, text) ? 0 : file_error("write", job->output);
}

/* The text compiles by itself, without awaitc in front of the compiler. */
static strview standing_alone(arena *mem, strview text)
{
    strbuf out = strbuf_in(mem);
    strbuf_str(&out, "#ifndef __AWAITC__\n#define __AWAITC__ 1 /* lowered by awaitc */\n#endif\n");
    strbuf_sv(&out, text);
    return strbuf_view(&out);
}

static int lower(struct lower_job *job)
{
    include_search files = include_search_in(job->mem);
    bool from_stdin = strcmp(job->path, "-") == 0;
    strview source =
        from_stdin ? process_read_all(job->mem, STDIN_FILENO) : include_text(&files, job->path);
    if (source.at == NULL) {
        errno = errno != 0 ? errno : EINVAL;
        return file_error("read", from_stdin ? "standard input" : job->file);
    }
    struct pipeline_request request = {.cmd = job->cmd,
                                       .path = job->path,
                                       .source = source,
                                       .awaitc_dir = toolchain_awaitc_dir(job->mem),
                                       .line_directives = job->opts.value[OPTION_NO_LINE] == NULL,
                                       .dump_after = job->opts.value[OPTION_DUMP_AFTER],
                                       .dump = stderr};
    struct pipeline_result result = {0};
    switch (pipeline_lower(job->mem, &request, &result)) {
    case PIPELINE_LOWERED:
        return write_output(job, standing_alone(job->mem, result.text));
    case PIPELINE_PLAIN:
        return write_output(job, source);
    case PIPELINE_FAILED:
    case PIPELINE_REFUSED:
        return 1;
    case PIPELINE_BROKEN:
        break;
    }
    return 2;
}

int cmd_lower(int argc, char **argv)
{
    struct lower_job job = {.mem = arena_create(), .output = "-"};
    if (!options_read(job.mem, &usage, argc, argv, &job.opts))
        return 2;
    if (job.opts.value[OPTION_HELP] != NULL) {
        options_help(&usage);
        return 0;
    }
    if (job.opts.files.count != 1)
        return options_misuse("lower takes one file; compile flags go behind '--'");
    process_start();
    job.file = job.path = job.opts.files.at[0];
    const char *output = job.opts.value[OPTION_OUTPUT];
    char cwd[4096];
    if (output != NULL && output[0] != '/' && strcmp(output, "-") != 0)
        output = arena_printf(job.mem, "%s/%s", getcwd(cwd, sizeof cwd), output);
    job.output = output != NULL ? output : "-";
    int status = find_flags(&job);
    if (status == 0)
        status = lower(&job);
    process_clean_up();
    return status;
}
