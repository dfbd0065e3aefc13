/* SPDX-License-Identifier: MIT */
/*
 * JSON of our own, for scripts; docs/lint-reports.md lists its members. Columns count bytes,
 * offsets of edits are bytes of the file on disk. A fix whose text is no UTF-8 cannot be told in
 * JSON and is left out.
 */
#include "analyzer/base/utf8.h"
#include "analyzer/report/json_build.h"

static void put_place(const struct render_context *cx, json_t *object,
                      const struct diag_place *place)
{
    if (place->file != NULL)
        json_put_text(cx, object, "file", render_path(cx, place->file));
    json_put_nonzero(object, "line", place->line);
    json_put_nonzero(object, "column", place->column);
}

static void put_steps(const struct render_context *cx, json_t *object, const struct finding *f)
{
    json_t *steps = json_put_array(object, "steps");
    for (size_t i = 0; i < f->steps.count; i++) {
        json_t *step = json_append_object(steps);
        put_place(cx, step, &f->steps.at[i].place);
        json_put_text(cx, step, "function", f->steps.at[i].function);
        json_put_text(cx, step, "message", f->steps.at[i].text);
    }
}

static bool can_be_told(const struct finding_fix *fix)
{
    for (size_t i = 0; i < fix->edits.count; i++) {
        if (!utf8_is_valid(sv_from(fix->edits.at[i].text)))
            return false;
    }
    return true;
}

static void put_fix(const struct render_context *cx, json_t *fixes, const struct finding_fix *fix)
{
    json_t *object = json_append_object(fixes);
    json_put_text(cx, object, "title", fix->title);
    json_t *edits = json_put_array(object, "edits");
    for (size_t i = 0; i < fix->edits.count; i++) {
        const struct finding_edit *edit = &fix->edits.at[i];
        json_t *e = json_append_object(edits);
        json_put_text(cx, e, "file", render_path(cx, edit->file));
        json_put_number(e, "begin", edit->begin);
        json_put_number(e, "end", edit->end);
        json_put_text(cx, e, "text", edit->text);
    }
}

static void put_finding(const struct render_context *cx, json_t *findings, const struct finding *f)
{
    json_t *object = json_append_object(findings);
    json_put_text(cx, object, "rule", f->rule);
    json_put_text(cx, object, "severity", finding_severity_text(f->severity));
    put_place(cx, object, &f->place);
    json_put_nonzero(object, "end_column", f->end_column);
    json_put_text(cx, object, "function", f->function);
    json_put_text(cx, object, "message", f->message);
    json_put_text(cx, object, "leaf", f->leaf);
    json_put_text(cx, object, "fingerprint", finding_fingerprint(cx->mem, f));
    put_steps(cx, object, f);
    json_t *fixes = json_put_array(object, "fixes");
    for (size_t i = 0; i < f->fixes.count; i++) {
        if (can_be_told(&f->fixes.at[i]))
            put_fix(cx, fixes, &f->fixes.at[i]);
    }
}

static void put_notices(const struct render_context *cx, json_t *report)
{
    json_t *notices = json_put_array(report, "notices");
    for (size_t i = 0; i < cx->notice_count; i++) {
        json_t *notice = json_append_object(notices);
        put_place(cx, notice, &cx->notices[i].place);
        json_put_text(cx, notice, "message", cx->notices[i].text);
    }
}

static void put_summary(const struct render_context *cx, json_t *report,
                        const finding_list *findings)
{
    json_t *summary = json_put_object(report, "summary");
    json_put_number(summary, "files", cx->file_count);
    json_put_number(summary, "errors", render_count(findings, DIAG_ERROR));
    json_put_number(summary, "warnings", render_count(findings, DIAG_WARNING));
    json_put_number(summary, "notes", render_count(findings, DIAG_NOTE));
    json_put_number(summary, "suppressed", cx->suppressed_count);
    json_put_number(summary, "baseline", cx->baseline_count);
}

void render_json(FILE *to, const finding_list *findings, const struct render_context *cx)
{
    json_t *report = json_object();
    json_put_number(report, "version", 1);
    json_t *tool = json_put_object(report, "tool");
    json_put_text(cx, tool, "name", "awaitc");
    json_put_text(cx, tool, "version", cx->version);
    json_t *list = json_put_array(report, "findings");
    for (size_t i = 0; i < findings->all.count; i++)
        put_finding(cx, list, findings->all.at[i]);
    put_notices(cx, report);
    put_summary(cx, report, findings);
    json_write(to, report);
}
