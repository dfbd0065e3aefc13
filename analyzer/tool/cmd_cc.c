/* SPDX-License-Identifier: MIT */
/*
 * What happens to a compiler's command line:
 *
 *     a question, a link step, no C source      becomes the compiler, untouched
 *     -E, -M on a source that includes awaitc.h becomes the compiler, with awaitc's headers
 *     C sources, none of them async             becomes the compiler, with __AWAITC__ defined
 *     an async source                           the compiler checks it with the keywords erased
 *                                               while it is lowered; then it compiles in silence
 *
 * Preprocessed text of a source that includes awaitc.h, made without lowering, holds the name
 * awaitc_not_lowered (the header puts it there): this is the mark by which it is recognised when it
 * comes back as input. It is plain C, so no compiler warns; and an object made of it behind our
 * back does not link.
 */
#include "analyzer/tool/cmd_cc.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "analyzer/diag/diag.h"
#include "analyzer/parse/prescan.h"
#include "analyzer/tool/erased_check.h"
#include "analyzer/tool/final_compile.h"
#include "analyzer/tool/options.h"
#include "analyzer/tool/pipeline.h"

static const char mark[] = "awaitc_not_lowered";

struct cc {
    arena *mem;
    compile_command *cmd;
    const char *awaitc_dir;
    strview *sources; /* by input; at NULL: none, or it cannot be read */
    VEC(struct lowered_input) lowered;
    struct final_job job;
    toolchain tc;
};

static int help(void)
{
    puts(
        "Usage: awaitc cc COMPILER ARGS...\n\n"
        "Stands in front of gcc or clang, as in CC=\"awaitc cc gcc\": async C sources are lowered\n"
        "before the compiler compiles them; everything else reaches it as it is. Compiler caches\n"
        "and distributors go behind: awaitc cc ccache gcc.");
    return 0;
}

/* Reads the C inputs. Those that cannot be read are left for the compiler to complain about. */
static void read_sources(struct cc *cc)
{
    include_search files = include_search_in(cc->mem);
    cc->sources = ARENA_ARRAY(cc->mem, strview, cc->cmd->inputs.count + 1);
    for (size_t i = 0; i < cc->cmd->inputs.count; i++) {
        const struct compile_input *in = &cc->cmd->inputs.at[i];
        if (in->language == INPUT_OTHER)
            continue;
        if (strcmp(in->path, "-") != 0) {
            cc->sources[i] = include_text(&files, in->path);
            continue;
        }
        cc->sources[i] = process_read_all(cc->mem, STDIN_FILENO);
        if (cc->sources[i].at != NULL)
            cc->job.stdin_fd = process_text_fd(cc->sources[i]);
    }
}

static bool any_source(const struct cc *cc)
{
    for (size_t i = 0; i < cc->cmd->inputs.count; i++) {
        if (cc->cmd->inputs.at[i].language == INPUT_C)
            return true;
    }
    return false;
}

/* Reports preprocessed inputs that were not lowered; true if there are any. */
static bool refuse_preprocessed(const struct cc *cc)
{
    diag_sink *sink = diag_sink_new(cc->mem);
    for (size_t i = 0; i < cc->cmd->inputs.count; i++) {
        const struct compile_input *in = &cc->cmd->inputs.at[i];
        strview text = cc->sources[i];
        if (in->language != INPUT_PREPROCESSED_C || text.at == NULL ||
            memmem(text.at, text.len, mark, sizeof mark - 1) == NULL)
            continue;
        diag_report(sink, DIAG_PREPROCESSED_INPUT, (struct diag_place){.file = in->path},
                    "this preprocessed text includes awaitc.h and was not lowered; compile the "
                    "source itself, and put caches and distributors behind: awaitc cc ccache gcc");
    }
    diag_print(sink, stderr, isatty(STDERR_FILENO) != 0);
    return diag_error_count(sink) > 0;
}

/* Does a source of the command include awaitc's keywords? */
static bool reaches_keywords(const struct cc *cc)
{
    toolchain guess = toolchain_guess(cc->mem, cc->cmd);
    include_search search = include_search_in(cc->mem);
    compile_command_search(cc->cmd, &search);
    toolchain_guess_dirs(&guess, cc->cmd, &search);
    for (size_t i = 0; i < cc->cmd->inputs.count; i++) {
        const char *path = cc->cmd->inputs.at[i].path;
        if (cc->cmd->inputs.at[i].language != INPUT_C || cc->sources[i].at == NULL)
            continue;
        if (prescan_unit(&search, strcmp(path, "-") == 0 ? "" : path, cc->sources[i])
                .reaches_keywords)
            return true;
    }
    return false;
}

/* For pipeline_check: `context` is an erased_check. */
static void start_check(void *context, const preprocess *run)
{
    struct erased_check *check = context;
    check->tc = &run->tc;
    check->names_setjmp = run->names_setjmp;
    erased_check_start(check);
}

static int finish_check(void *context)
{
    return erased_check_finish(context);
}

static struct erased_check check_of(const struct cc *cc, uint32_t input)
{
    return (struct erased_check){.mem = cc->mem,
                                 .cmd = cc->cmd,
                                 .tc = &cc->tc,
                                 .awaitc_dir = cc->awaitc_dir,
                                 .input = input,
                                 .source = cc->sources[input]};
}

static bool is_lowered(const struct cc *cc, uint32_t input)
{
    for (size_t i = 0; i < cc->lowered.count; i++) {
        if (cc->lowered.at[i].input == input)
            return true;
    }
    return false;
}

/* Checks the plain sources that share their compile, which will be silent, with async ones. */
static int check_plain_sources(const struct cc *cc)
{
    int worst = 0;
    for (uint32_t i = 0; i < cc->cmd->inputs.count; i++) {
        if (cc->cmd->inputs.at[i].language == INPUT_OTHER || cc->sources[i].at == NULL ||
            is_lowered(cc, i))
            continue;
        struct erased_check check = check_of(cc, i);
        check.plain = true;
        check.names_setjmp = true; /* not looked at */
        erased_check_start(&check);
        int status = erased_check_finish(&check);
        worst = status > worst ? status : worst;
    }
    return worst;
}

/* Lowers what must be; the worst exit status. */
static int lower_sources(struct cc *cc)
{
    int worst = 0;
    for (uint32_t i = 0; i < cc->cmd->inputs.count; i++) {
        if (cc->cmd->inputs.at[i].language != INPUT_C || cc->sources[i].at == NULL)
            continue;
        struct pipeline_request request = {.cmd = cc->cmd,
                                           .path = cc->cmd->inputs.at[i].path,
                                           .source = cc->sources[i],
                                           .awaitc_dir = cc->awaitc_dir,
                                           .line_directives = true};
        struct erased_check check = check_of(cc, i);
        struct pipeline_check beside = {start_check, finish_check, &check};
        if (cc->job.checked)
            request.check = &beside;
        struct pipeline_result result = {0};
        switch (pipeline_lower(cc->mem, &request, &result)) {
        case PIPELINE_LOWERED: {
            struct lowered_input in = {.input = i, .text = result.text, .needs = result.needs};
            VEC_PUSH(cc->mem, &cc->lowered, in);
            cc->tc = result.tc;
            break;
        }
        case PIPELINE_PLAIN:
            break;
        case PIPELINE_REFUSED:
            worst = worst == 0 ? 1 : worst;
            break;
        case PIPELINE_FAILED:
            worst = worst == 0 ? result.check_status : worst;
            break;
        case PIPELINE_BROKEN:
            worst = 2;
            break;
        }
    }
    return worst;
}

static int run(struct cc *cc, int argc, char **argv)
{
    compile_command *cmd = cc->cmd;
    if (cmd->mode == MODE_QUERY || cmd->inputs.count == 0)
        return final_pass_on(&cc->job, argv, argc, PASS_UNTOUCHED);
    read_sources(cc);
    if (cmd->mode == MODE_PREPROCESS) {
        enum pass_kind kind = !any_source(cc) || !reaches_keywords(cc) ? PASS_UNTOUCHED
                              : cmd->depends_only                      ? PASS_LOWERED
                                                                       : PASS_HEADERS;
        return final_pass_on(&cc->job, argv, argc, kind);
    }
    if (refuse_preprocessed(cc))
        return 1;
    if (!any_source(cc))
        return final_pass_on(&cc->job, argv, argc, PASS_UNTOUCHED);
    cc->job.checked = erased_check_wanted(cmd);
    int status = lower_sources(cc);
    if (status == 0 && cc->job.checked && cc->lowered.count > 0)
        status = check_plain_sources(cc);
    if (status != 0)
        return status;
    if (cc->lowered.count == 0)
        return final_pass_on(&cc->job, argv, argc, PASS_LOWERED);
    cc->job.lowered = cc->lowered.at;
    cc->job.lowered_count = (uint32_t)cc->lowered.count;
    return final_compile(&cc->job);
}

int cmd_cc(int argc, char **argv)
{
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return help();
    if (argc < 2)
        return options_misuse("cc needs a compiler: awaitc cc gcc -c foo.c");
    if (argv[1][0] == '-')
        return options_misuse("cc needs a compiler before '%s': awaitc cc gcc %s", argv[1],
                              argv[1]);
    process_start();
    struct cc cc = {.mem = arena_create()};
    const char *failure;
    cc.cmd = compile_command_read(cc.mem, argc - 1, argv + 1, &failure);
    if (cc.cmd == NULL)
        return options_misuse("%s", failure);
    cc.awaitc_dir = toolchain_awaitc_dir(cc.mem);
    cc.job = (struct final_job){
        .mem = cc.mem, .cmd = cc.cmd, .tc = &cc.tc, .awaitc_dir = cc.awaitc_dir, .stdin_fd = -1};
    int status = run(&cc, argc - 1, argv + 1);
    process_clean_up();
    return status;
}
