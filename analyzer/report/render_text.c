/* SPDX-License-Identifier: MIT */
/*
 * Text in the compilers' form, for terminals and editors:
 *
 *     io.c:12:5: warning: 'fsync' waits for the disk [awaitc-blocking-call]
 *        12 |     flush(log);
 *           |     ^~~~~
 *     log.c:30:9: note: 'flush' calls 'fsync', which waits
 *
 * Notices are left out: they go to the terminal as errors, beside the report.
 */
#include "analyzer/diag/snippet.h"
#include "analyzer/report/render.h"

static const char *const severity_codes[] = {
    [DIAG_NOTE] = "\033[1;36m",
    [DIAG_WARNING] = "\033[1;35m",
    [DIAG_ERROR] = "\033[1;31m",
};

struct text_report {
    FILE *to;
    const struct render_context *cx;
};

static void print_place(const struct text_report *r, const struct diag_place *at)
{
    fputs(r->cx->colour ? "\033[1m" : "", r->to);
    fputs(at->file == NULL ? "awaitc" : render_path(r->cx, at->file), r->to);
    if (at->file != NULL && at->line != 0)
        fprintf(r->to, ":%u", at->line);
    if (at->file != NULL && at->line != 0 && at->column != 0)
        fprintf(r->to, ":%u", at->column);
    fputs(r->cx->colour ? ":\033[0m " : ": ", r->to);
}

static void print_severity(const struct text_report *r, enum diag_severity severity)
{
    const char *text = finding_severity_text(severity);
    if (r->cx->colour)
        fprintf(r->to, "%s%s:\033[0m ", severity_codes[severity], text);
    else
        fprintf(r->to, "%s: ", text);
}

static void print_source(const struct text_report *r, const struct diag_place *at,
                         uint32_t end_column)
{
    struct snippet s = {.number = at->line, .column = at->column, .end_column = end_column};
    if (at->file != NULL && source_cache_line(r->cx->sources, at->file, at->line, &s.line))
        snippet_print(r->to, &s, r->cx->colour);
}

static void print_step(const struct text_report *r, const struct finding_step *step)
{
    print_place(r, &step->place);
    print_severity(r, DIAG_NOTE);
    fprintf(r->to, "%s\n", step->text);
    print_source(r, &step->place, 0);
}

static void print_finding(const struct text_report *r, const struct finding *f)
{
    print_place(r, &f->place);
    print_severity(r, f->severity);
    fprintf(r->to, "%s [%s]\n", f->message, f->rule);
    print_source(r, &f->place, f->end_column);
    for (size_t i = 0; i < f->steps.count; i++)
        print_step(r, &f->steps.at[i]);
}

void render_text(FILE *to, const finding_list *findings, const struct render_context *cx)
{
    struct text_report r = {to, cx};
    for (size_t i = 0; i < findings->all.count; i++)
        print_finding(&r, findings->all.at[i]);
}
