/* SPDX-License-Identifier: MIT */
/*
 * One page for people, in one file: nothing is loaded from elsewhere, and without scripts all is
 * there but the filters. What is here is the content, grouped by file:
 *
 *     header                     counts
 *     aside                      filters, made by page_script.js from what is below
 *     section.file > article     a finding: message, place, source, chain, diff of the fix
 *     section.checks             what each check means
 */
#include "analyzer/report/html_code.h"

#include <string.h>

#include "analyzer/base/check.h"

/* A line that opens a part (page_style, page_script) has a name; its text is NULL. */
static const struct page_line {
    const char *name;
    const char *text;
} page_lines[] = {
#define PAGE(name) {name, NULL},
#define LINE(text) {NULL, text},
#include "analyzer/report/html_page.def"
#undef PAGE
#undef LINE
};

enum { CONTEXT_LINES = 3, STEP_CONTEXT_LINES = 1 };

struct html_report {
    FILE *to;
    const struct render_context *cx;
};

static void put_part(const struct html_report *r, const char *name)
{
    size_t i = 0;
    while (i < COUNTOF(page_lines) &&
           (page_lines[i].name == NULL || strcmp(page_lines[i].name, name) != 0))
        i++;
    AWC_ASSERT(i < COUNTOF(page_lines));
    for (i++; i < COUNTOF(page_lines) && page_lines[i].name == NULL; i++)
        fprintf(r->to, "%s\n", page_lines[i].text);
}

static void put_text(const struct html_report *r, const char *text)
{
    html_text(r->to, sv_from(text));
}

/* <tag class="..">text</tag> */
static void put_element(const struct html_report *r, const char *tag, const char *class_name,
                        const char *text)
{
    fprintf(r->to, "<%s class=\"%s\">", tag, class_name);
    put_text(r, text);
    fprintf(r->to, "</%s>", tag);
}

static const char *shown_file(const struct html_report *r, const struct diag_place *place)
{
    return place->file == NULL ? "awaitc" : render_path(r->cx, place->file);
}

static void put_place(const struct html_report *r, const struct diag_place *place)
{
    fputs("<button type=\"button\" class=\"place\" title=\"Copy this place\">", r->to);
    put_text(r, shown_file(r, place));
    if (place->line != 0)
        fprintf(r->to, ":%u", place->line);
    if (place->line != 0 && place->column != 0)
        fprintf(r->to, ":%u", place->column);
    fputs("</button>", r->to);
}

static void put_step(const struct html_report *r, const struct finding_step *step)
{
    fputs("<li><p>", r->to);
    put_text(r, step->text);
    fputs("</p><p class=\"at\">", r->to);
    put_place(r, &step->place);
    if (step->function != NULL) {
        fputs(" in ", r->to);
        put_element(r, "code", "fn", step->function);
    }
    fputs("</p>\n", r->to);
    html_source(r->to, r->cx, &step->place, 0, STEP_CONTEXT_LINES);
    fputs("</li>\n", r->to);
}

static void put_chain(const struct html_report *r, const struct finding *f)
{
    if (f->steps.count == 0)
        return;
    fprintf(r->to, "<details class=\"chain\"><summary>%zu step%s", f->steps.count,
            f->steps.count == 1 ? "" : "s");
    if (f->leaf != NULL) {
        fputs(" to ", r->to);
        put_element(r, "code", "fn", f->leaf);
    }
    fputs("</summary><ol>\n", r->to);
    for (size_t i = 0; i < f->steps.count; i++)
        put_step(r, &f->steps.at[i]);
    fputs("</ol></details>\n", r->to);
}

static void put_fix(const struct html_report *r, struct finding *f)
{
    if (f->fixes.count == 0)
        return;
    fputs("<details class=\"fix\"><summary>Fix: ", r->to);
    put_text(r, f->fixes.at[0].title);
    fputs("</summary>\n", r->to);
    html_fix(r->to, r->cx, f);
    fputs("</details>\n", r->to);
}

static void put_finding(const struct html_report *r, struct finding *f)
{
    const char *severity = finding_severity_text(f->severity);
    fprintf(r->to, "<article class=\"%s\" tabindex=\"-1\" data-severity=\"%s\" data-rule=\"",
            severity, severity);
    put_text(r, f->rule);
    fputs("\">\n<h3>", r->to);
    put_element(r, "span", "severity", severity);
    put_element(r, "span", "message", f->message);
    fputs("</h3>\n<p class=\"at\">", r->to);
    put_place(r, &f->place);
    if (f->function != NULL) {
        fputs(" in ", r->to);
        put_element(r, "code", "fn", f->function);
    }
    fputs(" ", r->to);
    put_element(r, "span", "rule", f->rule);
    fputs("</p>\n", r->to);
    html_source(r->to, r->cx, &f->place, f->end_column, CONTEXT_LINES);
    put_chain(r, f);
    put_fix(r, f);
    fputs("</article>\n", r->to);
}

static size_t put_file(const struct html_report *r, const finding_list *findings, size_t first)
{
    const char *file = shown_file(r, &findings->all.at[first]->place);
    size_t end = first + 1;
    while (end < findings->all.count &&
           strcmp(shown_file(r, &findings->all.at[end]->place), file) == 0)
        end++;
    fputs("<section class=\"file\" data-file=\"", r->to);
    put_text(r, file);
    fputs("\"><h2>", r->to);
    put_text(r, file);
    fprintf(r->to, " <span class=\"count\">%zu</span></h2>\n", end - first);
    for (size_t i = first; i < end; i++)
        put_finding(r, findings->all.at[i]);
    fputs("</section>\n", r->to);
    return end;
}

static void put_count(const struct html_report *r, size_t count, const char *class_name,
                      const char *what)
{
    if (count != 0)
        fprintf(r->to, "<li class=\"%s\"><b>%zu</b> %s%s</li>", class_name, count, what,
                count == 1 ? "" : "s");
}

static void put_header(const struct html_report *r, const finding_list *findings)
{
    fputs("<header><h1>awaitc lint</h1><ul class=\"counts\">", r->to);
    if (findings->all.count == 0)
        fputs("<li><b>No</b> findings</li>", r->to);
    put_count(r, render_count(findings, DIAG_ERROR), "error", "error");
    put_count(r, render_count(findings, DIAG_WARNING), "warning", "warning");
    put_count(r, render_count(findings, DIAG_NOTE), "note", "note");
    put_count(r, r->cx->file_count, "quiet", "source file");
    if (r->cx->suppressed_count != 0)
        fprintf(r->to, "<li class=\"quiet\"><b>%u</b> silenced</li>", r->cx->suppressed_count);
    if (r->cx->baseline_count != 0)
        fprintf(r->to, "<li class=\"quiet\"><b>%u</b> in the baseline</li>", r->cx->baseline_count);
    fputs("</ul></header>\n", r->to);
}

static void put_notices(const struct html_report *r)
{
    if (r->cx->notice_count == 0)
        return;
    fprintf(r->to,
            "<details class=\"notices\" open><summary>Not checked, or in part: %zu</summary><ul>\n",
            r->cx->notice_count);
    for (size_t i = 0; i < r->cx->notice_count; i++) {
        fputs("<li>", r->to);
        put_place(r, &r->cx->notices[i].place);
        fputs(" ", r->to);
        put_text(r, r->cx->notices[i].text);
        fputs("</li>\n", r->to);
    }
    fputs("</ul></details>\n", r->to);
}

static void put_checks(const struct html_report *r)
{
    if (r->cx->rule_count == 0)
        return;
    fputs("<section class=\"checks\"><h2>The checks</h2><dl>\n", r->to);
    for (size_t i = 0; i < r->cx->rule_count; i++) {
        const struct render_rule *rule = &r->cx->rules[i];
        put_element(r, "dt", "rule", rule->id);
        put_element(r, "dd", "summary", rule->summary);
        const char *help = rule->help == NULL ? NULL : rule->help(r->cx->mem, rule->id);
        if (help != NULL) {
            fputs("<dd><details><summary>More</summary>", r->to);
            put_element(r, "pre", "help", help);
            fputs("</details></dd>", r->to);
        }
        fputs("\n", r->to);
    }
    fputs("</dl></section>\n", r->to);
}

static void put_head(const struct html_report *r)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n<title>awaitc lint</title>\n"
          "<style>\n",
          r->to);
    put_part(r, "page_style");
    fputs("</style>\n</head>\n<body>\n", r->to);
}

void render_html(FILE *to, const finding_list *findings, const struct render_context *cx)
{
    struct html_report r = {to, cx};
    put_head(&r);
    put_header(&r, findings);
    fputs("<div class=\"columns\">\n<aside id=\"filters\" hidden></aside>\n<main>\n", to);
    put_notices(&r);
    for (size_t i = 0; i < findings->all.count;)
        i = put_file(&r, findings, i);
    if (findings->all.count == 0)
        put_element(&r, "p", "none", "The checks found nothing.");
    put_checks(&r);
    fputs("</main>\n</div>\n", to);
    if (cx->version != NULL) {
        fputs("<footer>awaitc ", to);
        put_text(&r, cx->version);
        fputs("</footer>\n", to);
    }
    fputs("<script>\n", to);
    put_part(&r, "page_script");
    fputs("</script>\n</body>\n</html>\n", to);
}
