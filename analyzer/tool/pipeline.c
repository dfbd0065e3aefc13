/* SPDX-License-Identifier: MIT */
/*
 * The steps themselves live elsewhere; here is their order, and what leaves early: the pre-scan
 * with "nothing async here", the expansion with "nothing after all", an error with its report.
 */
#include "analyzer/tool/pipeline.h"

#include <stdlib.h>
#include <unistd.h>

#include "analyzer/parse/prescan.h"
#include "analyzer/tool/messages.h"
#include "transforms/lower.h"
#include "transforms/measure_frames.h"

static const char trace_macro[] = "AW_TRACE";

static bool is_debug_build(const compile_command *cmd)
{
    bool debug = false, optimised = false;
    for (size_t i = 0; i < cmd->args.count; i++) {
        const char *text = cmd->args.at[i].text;
        if (strncmp(text, "-g", 2) == 0 && strncmp(text, "-gnu", 4) != 0)
            debug = strcmp(text, "-g0") != 0;
        else if (strncmp(text, "-O", 2) == 0)
            optimised = strcmp(text, "-O0") != 0 && strcmp(text, "-Og") != 0;
    }
    return debug && !optimised;
}

/* -DAW_TRACE: the lowered text reports its transitions. */
static bool wants_trace(const compile_command *cmd)
{
    bool wants = false;
    for (size_t i = 0; i < cmd->args.count; i++) {
        const struct compile_arg *arg = &cmd->args.at[i];
        bool undefines = arg->id == FLAG_UNDEFINE;
        if (arg->value == NULL || (arg->id != FLAG_DEFINE && !undefines))
            continue;
        size_t len = strcspn(arg->value, "=");
        if (len == strlen(trace_macro) && strncmp(arg->value, trace_macro, len) == 0)
            wants = !undefines;
    }
    return wants;
}

static bool has_flag(const compile_command *cmd, const char *flag)
{
    for (size_t i = 0; i < cmd->args.count; i++) {
        if (strcmp(cmd->args.at[i].text, flag) == 0)
            return true;
    }
    return false;
}

static bool lower_expanded(arena *mem, const struct pipeline_request *request,
                           const preprocess *run, const expanded *unit, diag_sink *sink,
                           struct pipeline_result *result)
{
    argument_list args = {0};
    const char *dir = strcmp(request->path, "-") == 0 ? "." : NULL;
    toolchain_clang_args(mem, &run->tc, request->cmd, request->awaitc_dir, dir, &args);
    struct lower_options options = {
        .clang_args = args.at,
        .clang_arg_count = (uint32_t)args.count,
        .share_slots = !is_debug_build(request->cmd),
        .line_directives = request->line_directives,
        .traces = wants_trace(request->cmd),
        .want_machines = request->want_machines,
        .keeps_unused = request->want_machines || has_flag(request->cmd, "-fkeep-inline-functions"),
        .dump_after = request->dump_after,
        .dump = request->dump};
    struct lowered lowered = {0};
    if (!lower_unit(mem, unit, &options, sink, &lowered))
        return false;
    result->machines = lowered.machines;
    result->text = expand_splice(unit, mem, lowered.prelude, lowered.texts);
    measure_frames(mem, request->path, result->text, args.at, (uint32_t)args.count,
                   lowered.machines);
    return true;
}

/* Shows the warnings that only the preprocessor run gives; false if they are errors. */
static bool show_warnings(arena *mem, const struct pipeline_request *request, const preprocess *run,
                          const expanded *unit)
{
    if (run->messages.len == 0 || request->check != NULL || has_flag(request->cmd, "-w"))
        return true;
    strview shown = messages_of_regions(mem, run->messages, unit);
    fwrite(shown.at, 1, shown.len, stderr);
    if (shown.len == 0 || !has_flag(request->cmd, "-Werror"))
        return true;
    fputs("awaitc: error: warnings are errors (-Werror)\n", stderr);
    return false;
}

static void show(const diag_sink *sink)
{
    diag_print(sink, stderr, isatty(STDERR_FILENO) != 0);
}

/* Shows what is against the contract; what is against C, the compiler has said. */
static void show_but_parse(arena *mem, const diag_sink *sink)
{
    if (diag_error_count(sink) == 0)
        return;
    char *text = NULL;
    size_t len = 0;
    FILE *file = open_memstream(&text, &len);
    if (file == NULL)
        return;
    diag_print(sink, file, isatty(STDERR_FILENO) != 0);
    if (fclose(file) == 0) {
        strview shown = messages_without(mem, (strview){text, len}, diag_id_text(DIAG_PARSE));
        fwrite(shown.at, 1, shown.len, stderr);
    }
    free(text);
}

/* Waits for the check. What it says comes first; false, and the rest is shown, if it failed. */
static bool passes_check(arena *mem, const struct pipeline_request *request, const preprocess *run,
                         const diag_sink *sink, struct pipeline_result *result)
{
    result->check_status = request->check->finish(request->check->context);
    if (result->check_status == 0)
        fwrite(run->errors.at, 1, run->errors.len, stderr);
    else
        show_but_parse(mem, sink);
    return result->check_status == 0;
}

enum pipeline_status pipeline_lower(arena *mem, const struct pipeline_request *request,
                                    struct pipeline_result *result)
{
    toolchain guess = toolchain_guess(mem, request->cmd);
    include_search search = include_search_in(mem);
    search.own_dir = request->awaitc_dir;
    compile_command_search(request->cmd, &search);
    toolchain_guess_dirs(&guess, request->cmd, &search);
    const char *shown = strcmp(request->path, "-") == 0 ? "<stdin>" : request->path;
    const char *found_as = strcmp(request->path, "-") == 0 ? "" : request->path;
    struct prescan scan = prescan_unit(&search, found_as, request->source);
    if (!request->skip_prescan && !(scan.reaches_keywords && scan.names_async))
        return PIPELINE_PLAIN;
    result->needs = (struct place_needs){.names_base_file = scan.names_base_file,
                                         .quotes_clash = scan.quotes_clash};
    preprocess run = preprocess_for(mem, request->cmd, request->path, result->needs,
                                    request->awaitc_dir, &guess);
    struct expand_request expand = {.path = shown,
                                    .source = request->source,
                                    .trigraphs = request->cmd->trigraphs,
                                    .line_directives = request->line_directives,
                                    .search = &search,
                                    .macros = &scan.macros,
                                    .async_headers = scan.async_headers.at,
                                    .async_header_count = (uint32_t)scan.async_headers.count,
                                    .names_leaf = scan.names_leaf,
                                    .context = &run,
                                    .preprocess = preprocess_run,
                                    .owner = preprocess_owner};
    diag_sink *sink = diag_sink_new(mem);
    expanded unit = {0};
    run.holds_errors = request->check != NULL;
    enum expand_status status = expand_unit(mem, &expand, sink, &unit);
    bool is_checked = status != EXPAND_PLAIN && request->check != NULL && run.started;
    if (is_checked)
        request->check->start(request->check->context, &run);
    bool lowered = status == EXPAND_DONE && show_warnings(mem, request, &run, &unit) &&
                   lower_expanded(mem, request, &run, &unit, sink, result);
    if (is_checked && !passes_check(mem, request, &run, sink, result))
        return PIPELINE_FAILED;
    show(sink);
    result->tc = run.tc;
    if (status == EXPAND_PLAIN)
        return PIPELINE_PLAIN;
    if (lowered)
        return PIPELINE_LOWERED;
    return run.started ? PIPELINE_REFUSED : PIPELINE_BROKEN;
}
