/* SPDX-License-Identifier: MIT */
/*
 * The order of work:
 *
 *     files  ->  facts of each (from the cache, or read by workers)  \
 *     --facts: facts files  ------------------------------------------>  program  ->  findings
 *     findings  ->  checks that are off, NOLINT, baseline  ->  fixes, report
 *
 * A file that cannot be read or parsed is named; the rest is reported all the same, and the exit
 * status is 2 in the end.
 */
#include "analyzer/tool/cmd_lint.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/check.h"
#include "analyzer/program/facts_io.h"
#include "analyzer/program/program.h"
#include "analyzer/report/render.h"
#include "analyzer/tool/lint_cache.h"
#include "analyzer/tool/lint_report.h"
#include "analyzer/tool/lint_setup.h"
#include "analyzer/tool/process.h"
#include "rules/rule_engine.h"

static const enum option_id taken[] = {
    OPTION_DATABASE,    OPTION_CHECKS,   OPTION_FORMAT,         OPTION_OUTPUT,  OPTION_FIX,
    OPTION_FIX_DRY_RUN, OPTION_BASELINE, OPTION_WRITE_BASELINE, OPTION_FAIL_ON, OPTION_JOBS,
    OPTION_FACTS_OUT,   OPTION_FACTS,    OPTION_CACHE,          OPTION_CONFIG,  OPTION_STRICT,
    OPTION_AUDIT,       OPTION_HELP};

static const struct command_usage usage = {
    .name = "lint",
    .synopsis = "[FILE...] [-p DIR] [options] [-- FLAGS...]",
    .about = "Finds what makes async code and event loops slow or wrong. Without files, every C\n"
             "file of the compilation database. Compile flags come from behind '--', or from a\n"
             "compilation database found with -p or upwards from the file (also in build/).",
    .options = taken,
    .option_count = COUNTOF(taken)};

struct lint_run {
    arena *mem;
    options opts;
    diag_sink *sink;
    lint_setups *setups;
    lint_files files;
    struct lint_outcome *outcome; /* [files] */
    VEC(struct unit_facts *) units;
    VEC(struct render_notice) notices; /* what could not be read, for reports */
    int status;                        /* worst so far, of what is no finding */
};

static void worsen(struct lint_run *run, int status)
{
    run->status = status > run->status ? status : run->status;
}

/* ---- facts of sources ------------------------------------------------------------------------ */

static const struct lint_work *work_of(void *context, size_t file)
{
    struct lint_run *run = context;
    const struct lint_setup *setup = lint_setup_of(run->setups, run->files.at[file].shown);
    return setup == NULL ? NULL : &setup->work;
}

/* Something that could not be read is said on standard error and in reports. */
static void note(struct lint_run *run, const char *file, uint32_t line, const char *text)
{
    struct render_notice notice = {.place = {file, line, line == 0 ? 0 : 1}, .text = text};
    VEC_PUSH(run->mem, &run->notices, notice);
    worsen(run, 2);
}

/* The first message of a compiler or reader, without its place and id. */
static const char *first_message(struct lint_run *run, const char *message)
{
    const char *mark = strstr(message, "error: ");
    const char *text = mark != NULL ? mark + strlen("error: ") : message;
    return arena_strndup(run->mem, text, strcspn(text, "\n"));
}

static void show_outcome(struct lint_run *run, size_t i)
{
    const struct lint_outcome *out = &run->outcome[i];
    const char *shown = run->files.at[i].shown;
    if (out->message != NULL)
        fputs(out->message, stderr);
    if (out->message != NULL || out->status != LINT_DONE)
        note(run, shown, 0,
             out->message != NULL ? first_message(run, out->message) : "could not be read");
    if (out->status != LINT_UNPARSED)
        return;
    fprintf(stderr,
            "%s: note: this file was not understood%s; only the checks that need no types "
            "looked at it\n",
            shown,
            run->files.at[i].has_flags ? "" : " (it was read as plain C11, without compile flags)");
}

/* Reads the units of a facts text; what is wrong is reported by its name. */
static void add_units(struct lint_run *run, strview text, const char *name)
{
    size_t at = 0;
    uint32_t line = 0;
    const char *error;
    struct unit_facts *facts;
    while ((facts = facts_read(run->mem, text, &at, &line, &error)) != NULL)
        VEC_PUSH(run->mem, &run->units, facts);
    if (error == NULL)
        return;
    fprintf(stderr, "%s:%u:1: error: %s [awaitc-input]\n", name, line == 0 ? 1 : line, error);
    note(run, name, line, error);
}

static unsigned jobs_of(const options *opts)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned jobs = online > 0 ? (unsigned)online : 1;
    if (opts->value[OPTION_JOBS] == NULL)
        return jobs;
    char *end;
    long n = strtol(opts->value[OPTION_JOBS], &end, 10);
    return *end == '\0' && n > 0 && n <= 1024 ? (unsigned)n : 0;
}

static void find_cached(struct lint_run *run)
{
    for (size_t i = 0; run->opts.value[OPTION_CACHE] != NULL && i < run->files.count; i++) {
        const struct lint_setup *setup = lint_setup_of(run->setups, run->files.at[i].shown);
        if (setup == NULL)
            continue;
        struct lint_cache cache = {run->opts.value[OPTION_CACHE], setup->hash};
        run->outcome[i].facts = lint_cache_find(run->mem, &cache, &run->files.at[i]);
    }
}

static void keep_in_cache(struct lint_run *run, size_t i, const struct unit_facts *facts)
{
    const struct lint_setup *setup = lint_setup_of(run->setups, run->files.at[i].shown);
    const struct lint_outcome *out = &run->outcome[i];
    if (run->opts.value[OPTION_CACHE] == NULL || setup == NULL || out->status != LINT_DONE ||
        out->message != NULL)
        return;
    struct lint_cache cache = {run->opts.value[OPTION_CACHE], setup->hash};
    lint_cache_keep(run->mem, &cache, &run->files.at[i], facts->dependencies.at,
                    facts->dependencies.count, out->facts);
}

static void read_sources(struct lint_run *run, unsigned jobs)
{
    size_t count = run->files.count;
    run->outcome = ARENA_ARRAY(run->mem, struct lint_outcome, count + 1);
    bool *cached = ARENA_ARRAY(run->mem, bool, count + 1);
    find_cached(run);
    for (size_t i = 0; i < count; i++)
        cached[i] = run->outcome[i].facts.at != NULL;
    lint_workers_run(run->mem, &run->files, jobs, work_of, run, run->outcome);
    for (size_t i = 0; i < count; i++) {
        show_outcome(run, i);
        if (run->outcome[i].facts.at == NULL)
            continue;
        add_units(run, run->outcome[i].facts, run->files.at[i].shown);
        if (!cached[i])
            keep_in_cache(run, i, VEC_LAST(&run->units));
    }
}

/* ---- facts files ----------------------------------------------------------------------------- */

static void read_facts_file(struct lint_run *run, const char *path)
{
    include_search files = include_search_in(run->mem);
    errno = 0;
    strview text = include_text(&files, path);
    if (text.at == NULL) {
        const char *why = strerror(errno != 0 ? errno : EINVAL);
        fprintf(stderr, "awaitc: error: cannot read '%s': %s [awaitc-input]\n", path, why);
        note(run, path, 0, arena_printf(run->mem, "cannot be read: %s", why));
        return;
    }
    add_units(run, text, path);
}

static void read_facts(struct lint_run *run)
{
    read_facts_file(run, run->opts.value[OPTION_FACTS]);
    for (size_t i = 0; i < run->opts.files.count; i++)
        read_facts_file(run, run->opts.files.at[i]);
}

static int write_facts(struct lint_run *run)
{
    const char *path = run->opts.value[OPTION_FACTS_OUT];
    strbuf out = strbuf_in(run->mem);
    for (size_t i = 0; i < run->units.count; i++)
        facts_write(run->units.at[i], &out);
    bool is_stdout = strcmp(path, "-") == 0;
    bool written = is_stdout ? fwrite(strbuf_text(&out), 1, out.len, stdout) == out.len
                             : process_write_file(run->mem, path, strbuf_view(&out));
    if (written)
        return run->status;
    fprintf(stderr, "awaitc: error: cannot write '%s': %s [awaitc-input]\n", path, strerror(errno));
    return 2;
}

/* ---- the run --------------------------------------------------------------------------------- */

static bool show_errors(struct lint_run *run)
{
    diag_print(run->sink, stderr, isatty(STDERR_FILENO) != 0);
    return diag_error_count(run->sink) != 0;
}

static int judge(struct lint_run *run)
{
    const struct lint_setup *setup =
        lint_setup_joined(run->setups, run->units.at, run->units.count);
    if (setup == NULL) {
        show_errors(run);
        return 2;
    }
    program *p =
        program_join(run->mem, run->units.at, (uint32_t)run->units.count, &setup->settings);
    rules_run_program(p, setup->enabled);
    struct lint_report report = {.mem = run->mem,
                                 .opts = &run->opts,
                                 .setups = run->setups,
                                 .setup = setup,
                                 .units = run->units.at,
                                 .unit_count = run->units.count,
                                 .findings = program_findings(p),
                                 .program = p,
                                 .sink = run->sink,
                                 .notices = run->notices.at,
                                 .notice_count = run->notices.count};
    int status = lint_report_make(&report);
    show_errors(run);
    return status > run->status ? status : run->status;
}

static int lint(struct lint_run *run)
{
    unsigned jobs = jobs_of(&run->opts);
    if (jobs == 0)
        return options_misuse("--jobs takes a number from 1 to 1024, not '%s'",
                              run->opts.value[OPTION_JOBS]);
    int status = lint_report_check_options(&run->opts);
    if (status != 0)
        return status;
    run->sink = diag_sink_new(run->mem);
    run->setups = lint_setups_new(run->mem, &run->opts, run->sink);
    if (run->opts.value[OPTION_FACTS] != NULL) {
        read_facts(run);
    } else {
        status = lint_files_find(run->mem, &run->opts, &run->files);
        worsen(run, status);
        if (run->files.count == 0)
            return run->status;
        read_sources(run, jobs);
    }
    if (diag_error_count(run->sink) != 0) {
        show_errors(run);
        return 2;
    }
    return run->opts.value[OPTION_FACTS_OUT] != NULL ? write_facts(run) : judge(run);
}

int cmd_lint(int argc, char **argv)
{
    struct lint_run run = {.mem = arena_create()};
    if (!options_read(run.mem, &usage, argc, argv, &run.opts))
        return 2;
    if (run.opts.value[OPTION_HELP] != NULL) {
        options_help(&usage);
        return 0;
    }
    process_start();
    int status = lint(&run);
    process_clean_up();
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return status;
    fprintf(stderr, "awaitc: error: cannot write to standard output: %s [awaitc-input]\n",
            strerror(errno));
    return 2;
}
