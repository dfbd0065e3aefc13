/* SPDX-License-Identifier: MIT */
/*
 * Reads the files as `lower` does, but keeps what the lowering says of its functions instead of
 * their text; builds the graphs, narrows them to what was asked for, renders one picture.
 */
#include "analyzer/tool/cmd_graph.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/check.h"
#include "analyzer/diagram/graph_html.h"
#include "analyzer/diagram/graph_pictures.h"
#include "analyzer/tool/file_command.h"
#include "analyzer/tool/graph_input.h"
#include "analyzer/tool/pipeline.h"

static const enum option_id taken[] = {OPTION_OUTPUT,         OPTION_GRAPH_FORMAT, OPTION_VIEW,
                                       OPTION_FUNCTION,       OPTION_STATES,       OPTION_SHOW,
                                       OPTION_LINT,           OPTION_DIFF,         OPTION_RUN,
                                       OPTION_FAIL_ON_GROWTH, OPTION_DATABASE,     OPTION_HELP};

static const struct command_usage usage = {
    .name = "graph",
    .synopsis = "FILE.c... [--view states|calls|frame] [--format FORMAT] [-o OUT] [-- FLAGS...]",
    .about = "Draws the state machine of each async function, the frames they keep, or who awaits\n"
             "whom over the files given. Formats: svg, png, pdf, dot, mermaid, json, html, text;\n"
             "without --format the name behind -o tells, else text. json and html hold all views.",
    .options = taken,
    .option_count = COUNTOF(taken)};

enum { PNG_DOTS_PER_INCH = 144 };

enum output_format {
    OUTPUT_SVG,
    OUTPUT_PNG,
    OUTPUT_PDF,
    OUTPUT_DOT,
    OUTPUT_MERMAID,
    OUTPUT_JSON,
    OUTPUT_HTML,
    OUTPUT_TEXT,
    OUTPUT_COUNT
};

static const char *const format_names[] = {"svg",     "png",  "pdf",  "dot",
                                           "mermaid", "json", "html", "text"};

struct graph_job {
    arena *mem;
    options opts;
    const char *output; /* absolute; "-" */
    char cwd[4096];
    enum output_format format;
    graph_set set;
    source_table sources;
    machine_list *units;
    uint32_t unit_count;
    VEC(state_graph *) functions;
    int status;
};

/* ---- what was asked for
 * ------------------------------------------------------------------------- */

static int format_named(const char *name)
{
    for (int i = 0; i < OUTPUT_COUNT; i++) {
        if (strcmp(name, format_names[i]) == 0)
            return i;
    }
    return -1;
}

static int choose_format(struct graph_job *job)
{
    static const char *const endings[][2] = {{".gv", "dot"},
                                             {".mmd", "mermaid"},
                                             {".mermaid", "mermaid"},
                                             {".htm", "html"},
                                             {".txt", "text"}};
    const char *name = job->opts.value[OPTION_GRAPH_FORMAT];
    job->format = OUTPUT_TEXT;
    if (name == NULL) {
        const char *dot = strrchr(job->output, '.');
        int format = dot == NULL ? -1 : format_named(dot + 1);
        for (size_t i = 0; dot != NULL && format < 0 && i < COUNTOF(endings); i++) {
            if (strcmp(dot, endings[i][0]) == 0)
                format = format_named(endings[i][1]);
        }
        if (format >= 0)
            job->format = (enum output_format)format;
        return 0;
    }
    int format = format_named(name);
    if (format < 0)
        return options_misuse("no format '%s'; there are svg, png, pdf, dot, mermaid, json, html "
                              "and text",
                              name);
    job->format = (enum output_format)format;
    return 0;
}

static int choose_view(struct graph_job *job)
{
    static const char *const names[] = {
        [VIEW_STATES] = "states", [VIEW_CALLS] = "calls", [VIEW_FRAME] = "frame"};
    const char *name = job->opts.value[OPTION_VIEW];
    for (size_t i = 0; name != NULL && i < COUNTOF(names); i++) {
        if (strcmp(name, names[i]) == 0) {
            job->set.view = (enum graph_view)i;
            return 0;
        }
    }
    return name == NULL ? 0
                        : options_misuse("no view '%s'; there are states, calls and frame", name);
}

static int choose_shown(struct graph_job *job)
{
    const char *list = job->opts.value[OPTION_SHOW];
    job->set.show_locals = true;
    while (list != NULL && *list != '\0') {
        size_t len = strcspn(list, ",");
        strview word = {list, len};
        if (sv_is(word, "cancel"))
            job->set.show_cancel = true;
        else if (sv_is(word, "ready"))
            job->set.show_ready = true;
        else if (sv_is(word, "no-locals"))
            job->set.show_locals = false;
        else
            return options_misuse("--show=%.*s: there are cancel, ready and no-locals",
                                  SV_ARG(word));
        list += len + (list[len] == ',');
    }
    return 0;
}

static int choose_states(struct graph_job *job)
{
    const char *range = job->opts.value[OPTION_STATES];
    char *end = NULL;
    if (range == NULL)
        return 0;
    unsigned long first = strtoul(range, &end, 10), last = first;
    if (*end == '-')
        last = strtoul(end + 1, &end, 10);
    if (end == range || *end != '\0' || first == 0 || last < first || last > UINT32_MAX)
        return options_misuse("--states=%s: a state's number or two, as in --states=12-47", range);
    job->set.first_state = (uint32_t)first;
    job->set.last_state = (uint32_t)last;
    return 0;
}

/* ---- reading
 * ------------------------------------------------------------------------------------ */

static strview read_source(void *context, const char *path)
{
    include_search files = include_search_in(context);
    return include_text(&files, path);
}

static int read_file(struct graph_job *job, const char *file, machine_list *out)
{
    struct file_command command;
    int status = file_command_find(job->mem, &job->opts, file, &command);
    if (status != 0)
        return status;
    include_search files = include_search_in(job->mem);
    strview source = include_text(&files, command.path);
    if (source.at == NULL) {
        errno = errno != 0 ? errno : EINVAL;
        return file_command_error("read", file);
    }
    struct pipeline_request request = {.cmd = command.cmd,
                                       .path = command.path,
                                       .source = source,
                                       .awaitc_dir = toolchain_awaitc_dir(job->mem),
                                       .line_directives = true,
                                       .want_machines = true};
    struct pipeline_result result = {0};
    enum pipeline_status lowered = pipeline_lower(job->mem, &request, &result);
    *out = result.machines;
    if (lowered == PIPELINE_BROKEN)
        return 2;
    return lowered == PIPELINE_REFUSED || lowered == PIPELINE_FAILED ? 1 : 0;
}

/* The same static function of a header, seen with another file already. */
static bool is_known(const struct graph_job *job, const machine *m)
{
    for (size_t i = 0; i < job->functions.count; i++) {
        const machine *known = job->functions.at[i]->m;
        if (sv_equal(known->name, m->name) && known->place.line == m->place.line &&
            strcmp(known->place.file, m->place.file) == 0)
            return true;
    }
    return false;
}

static int read_files(struct graph_job *job)
{
    int status = 0;
    job->unit_count = (uint32_t)job->opts.files.count;
    job->units = ARENA_ARRAY(job->mem, machine_list, job->unit_count + 1);
    for (uint32_t i = 0; i < job->unit_count && status != 2; i++) {
        int one = read_file(job, job->opts.files.at[i], &job->units[i]);
        status = one > status ? one : status;
        for (uint32_t k = 0; one == 0 && k < job->units[i].count; k++) {
            const machine *m = job->units[i].at[k];
            source_get(&job->sources, m->place.file);
            if (m->is_async && !is_known(job, m))
                VEC_PUSH(job->mem, &job->functions, state_graph_build(job->mem, m, &job->sources));
        }
        if (chdir(job->cwd) != 0)
            return file_command_error("enter", job->cwd);
    }
    return status;
}

/* ---- which functions
 * ---------------------------------------------------------------------------- */

static size_t distance(const char *a, const char *b)
{
    size_t row[64], len = strlen(b);
    if (len >= COUNTOF(row) || strlen(a) >= COUNTOF(row))
        return SIZE_MAX;
    for (size_t j = 0; j <= len; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= len; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return row[len];
}

static int no_function(const struct graph_job *job, const char *name)
{
    strbuf out = strbuf_in(job->mem);
    bool *named = ARENA_ARRAY(job->mem, bool, job->functions.count + 1);
    for (int n = 0; n < 3; n++) {
        size_t best = SIZE_MAX, index = 0;
        for (size_t i = 0; i < job->functions.count; i++) {
            size_t d = distance(name, job->functions.at[i]->name);
            bool starts = strstr(job->functions.at[i]->name, name) != NULL;
            d = starts ? 1 : d;
            if (!named[i] && d < best && d <= strlen(name) / 2 + 2) {
                best = d;
                index = i;
            }
        }
        if (best == SIZE_MAX)
            break;
        named[index] = true;
        strbuf_fmt(&out, "%s'%s'", n > 0 ? ", " : "", job->functions.at[index]->name);
    }
    if (out.len > 0)
        return options_misuse("no async function '%s' in these files; did you mean %s?", name,
                              strbuf_text(&out));
    if (job->functions.count == 0)
        return options_misuse("no async function '%s': these files have none", name);
    for (size_t i = 0; i < job->functions.count && i < 8; i++)
        strbuf_fmt(&out, "%s'%s'", i > 0 ? ", " : "", job->functions.at[i]->name);
    return options_misuse("no async function '%s' in these files; there are %s%s", name,
                          strbuf_text(&out), job->functions.count > 8 ? ", ..." : "");
}

static int choose_function(struct graph_job *job)
{
    const char *name = job->opts.value[OPTION_FUNCTION];
    size_t kept = 0;
    for (size_t i = 0; i < job->functions.count; i++) {
        if (name == NULL || strcmp(job->functions.at[i]->name, name) == 0)
            job->functions.at[kept++] = job->functions.at[i];
    }
    if (name != NULL && kept == 0)
        return no_function(job, name);
    job->functions.count = kept;
    return 0;
}

/* ---- output
 * ------------------------------------------------------------------------------------- */

static int cannot_draw(const char *failure)
{
    fprintf(stderr, "awaitc: error: %s [awaitc-input]\n", failure);
    return 2;
}

static int make_picture(struct graph_job *job, strview *text)
{
    static const enum picture_format kinds[] = {PICTURE_SVG, PICTURE_PNG, PICTURE_PDF};
    const char *failure = NULL;
    strbuf out = strbuf_in(job->mem);
    if (job->format == OUTPUT_SVG) {
        if (!graph_svg_document(&job->set, &out, &failure))
            return cannot_draw(failure);
        *text = strbuf_view(&out);
        return 0;
    }
    job->set.dots_per_inch = job->format == OUTPUT_PNG ? PNG_DOTS_PER_INCH : 0;
    graph_dot(&job->set, &out);
    picture_maker *maker = picture_maker_new(job->mem, kinds[job->format], &failure);
    if (maker == NULL || !picture_render(maker, strbuf_text(&out), text, &failure))
        return cannot_draw(failure);
    return 0;
}

static int make_page(struct graph_job *job, strview *text)
{
    const char *failure = NULL;
    strbuf out = strbuf_in(job->mem);
    if (!graph_html(&job->set, &out, &failure))
        return cannot_draw(failure);
    *text = strbuf_view(&out);
    return 0;
}

static int render(struct graph_job *job)
{
    strbuf out = strbuf_in(job->mem);
    strview text = {0};
    int status = 0;
    if (job->format <= OUTPUT_PDF)
        status = make_picture(job, &text);
    else if (job->format == OUTPUT_HTML)
        status = make_page(job, &text);
    else if (job->format == OUTPUT_DOT)
        graph_dot(&job->set, &out);
    else if (job->format == OUTPUT_MERMAID)
        graph_mermaid(&job->set, &out);
    else if (job->format == OUTPUT_JSON)
        graph_json(&job->set, &out);
    else
        graph_text(&job->set, &out);
    if (status != 0)
        return status;
    if (text.at == NULL)
        text = strbuf_view(&out);
    if (strcmp(job->output, "-") != 0)
        return process_write_file(job->mem, job->output, text)
                   ? 0
                   : file_command_error("write", job->output);
    if (fwrite(text.at, 1, text.len, stdout) == text.len && fflush(stdout) == 0)
        return 0;
    return file_command_error("write", "standard output");
}

static int draw(struct graph_job *job)
{
    int status = read_files(job);
    if (status != 0)
        return status;
    job->set.sources = &job->sources;
    job->set.calls = await_graph_build(job->mem, job->units, job->unit_count, &job->sources);
    status = choose_function(job);
    if (status != 0)
        return status;
    job->set.functions = job->functions.at;
    job->set.function_count = (uint32_t)job->functions.count;
    int growth = 0;
    status = graph_input_read(job->mem, &job->opts, &job->set, &growth);
    if (status == 0)
        status = render(job);
    return status != 0 ? status : growth;
}

/* Walks recurse as deep as a function's branches follow one another: a stack of its own. */
static void *draw_thread(void *argument)
{
    struct graph_job *job = argument;
    job->status = draw(job);
    return NULL;
}

static void draw_deep(struct graph_job *job)
{
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    bool started = false;
    for (size_t size = (size_t)1 << 30; size >= (size_t)16 << 20 && !started; size /= 4)
        started = pthread_attr_setstacksize(&attr, size) == 0 &&
                  pthread_create(&thread, &attr, draw_thread, job) == 0;
    pthread_attr_destroy(&attr);
    if (started)
        pthread_join(thread, NULL);
    else
        draw_thread(job);
}

int cmd_graph(int argc, char **argv)
{
    struct graph_job job = {.mem = arena_create(), .output = "-"};
    if (!options_read(job.mem, &usage, argc, argv, &job.opts))
        return 2;
    if (job.opts.value[OPTION_HELP] != NULL) {
        options_help(&usage);
        return 0;
    }
    if (job.opts.files.count == 0)
        return options_misuse("graph takes files; compile flags go behind '--'");
    if (getcwd(job.cwd, sizeof job.cwd) == NULL)
        return file_command_error("find", "the working directory");
    const char *output = job.opts.value[OPTION_OUTPUT];
    if (output != NULL && output[0] != '/' && strcmp(output, "-") != 0)
        output = arena_printf(job.mem, "%s/%s", job.cwd, output);
    job.output = output != NULL ? output : "-";
    job.set.mem = job.mem;
    job.sources =
        (source_table){.mem = job.mem, .read = read_source, .context = job.mem, .base = job.cwd};
    int status = choose_format(&job);
    status = status != 0 ? status : choose_view(&job);
    status = status != 0 ? status : choose_shown(&job);
    status = status != 0 ? status : choose_states(&job);
    if (status != 0)
        return status;
    process_start();
    draw_deep(&job);
    process_clean_up();
    return job.status;
}
