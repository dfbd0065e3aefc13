/* SPDX-License-Identifier: MIT */
/*
 * The same pipeline as for `cc`, with the flags that file_command.h finds, so that the text is the
 * one that the build gets.
 */
#include "analyzer/tool/cmd_lower.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/tool/file_command.h"
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
    const char *output; /* absolute; "-" */
    struct file_command command;
};

static int write_output(const struct lower_job *job, strview text)
{
    if (strcmp(job->output, "-") == 0) {
        if (fwrite(text.at, 1, text.len, stdout) == text.len && fflush(stdout) == 0)
            return 0;
        return file_command_error("write", "standard output");
    }
    return process_write_file(job->mem, job->output, text)
               ? 0
               : file_command_error("write", job->output);
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
    bool from_stdin = strcmp(job->command.path, "-") == 0;
    strview source = from_stdin ? process_read_all(job->mem, STDIN_FILENO)
                                : include_text(&files, job->command.path);
    if (source.at == NULL) {
        errno = errno != 0 ? errno : EINVAL;
        return file_command_error("read", from_stdin ? "standard input" : job->file);
    }
    struct pipeline_request request = {.cmd = job->command.cmd,
                                       .path = job->command.path,
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
    job.file = job.opts.files.at[0];
    const char *output = job.opts.value[OPTION_OUTPUT];
    char cwd[4096];
    if (output != NULL && output[0] != '/' && strcmp(output, "-") != 0)
        output = arena_printf(job.mem, "%s/%s", getcwd(cwd, sizeof cwd), output);
    job.output = output != NULL ? output : "-";
    int status = file_command_find(job.mem, &job.opts, job.file, &job.command);
    if (status == 0)
        status = lower(&job);
    process_clean_up();
    return status;
}
