/* SPDX-License-Identifier: MIT */
/*
 * Workflow commands of GitHub Actions, one line a finding, which show as annotations of a change:
 *
 *     ::warning file=io.c,line=12,col=5,endColumn=10,title=awaitc-blocking-call::text
 *
 * In values '%', CR and LF are escaped, in those before the second "::" also ':' and ','. The chain
 * follows in the text, a line a step.
 */
#include <string.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/report/render.h"

static void add_escaped(strbuf *out, const char *text, const char *also)
{
    for (; *text != '\0'; text++) {
        if (strchr("%\r\n", *text) != NULL || strchr(also, *text) != NULL)
            strbuf_fmt(out, "%%%02X", (unsigned)(unsigned char)*text);
        else
            strbuf_char(out, *text);
    }
}

static void add_property(const struct render_context *cx, strbuf *out, const char *name,
                         const char *value)
{
    strbuf_fmt(out, "%s%s=", sv_ends(strbuf_view(out), " ") ? "" : ",", name);
    add_escaped(out, render_utf8(cx, value), ":,");
}

static void add_number(strbuf *out, const char *name, uint32_t value)
{
    if (value != 0)
        strbuf_fmt(out, ",%s=%u", name, value);
}

static void add_place(const struct render_context *cx, strbuf *out, const struct finding *f)
{
    if (f->place.file == NULL)
        return;
    add_property(cx, out, "file", render_path(cx, f->place.file));
    add_number(out, "line", f->place.line);
    if (f->place.line == 0)
        return;
    add_number(out, "col", render_char_column(cx, &f->place, f->place.column));
    add_number(out, "endColumn", render_char_column(cx, &f->place, f->end_column));
}

static void add_step(const struct render_context *cx, strbuf *text, const struct finding_step *step)
{
    strbuf_char(text, '\n');
    if (step->place.file != NULL)
        strbuf_fmt(text, "%s:%u:%u: ", render_path(cx, step->place.file), step->place.line,
                   step->place.column);
    strbuf_str(text, step->text);
}

static const char *command_of(enum diag_severity severity)
{
    return severity == DIAG_NOTE ? "notice" : finding_severity_text(severity);
}

static void print_finding(FILE *to, const struct render_context *cx, const struct finding *f)
{
    strbuf line = strbuf_in(cx->mem), text = strbuf_in(cx->mem);
    strbuf_fmt(&line, "::%s ", command_of(f->severity));
    add_place(cx, &line, f);
    add_property(cx, &line, "title", f->rule);
    strbuf_str(&line, "::");
    strbuf_str(&text, f->message);
    for (size_t i = 0; i < f->steps.count; i++)
        add_step(cx, &text, &f->steps.at[i]);
    add_escaped(&line, render_utf8(cx, strbuf_text(&text)), "");
    fprintf(to, "%s\n", strbuf_text(&line));
}

void render_github(FILE *to, const finding_list *findings, const struct render_context *cx)
{
    for (size_t i = 0; i < findings->all.count; i++)
        print_finding(to, cx, findings->all.at[i]);
}
