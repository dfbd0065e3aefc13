/* SPDX-License-Identifier: MIT */
/*
 * The order matters: a NOLINT that silences a finding of the baseline is used, and a fix is only
 * made for what would be reported.
 */
#include "analyzer/tool/lint_report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/report/baseline.h"
#include "analyzer/report/fixer.h"
#include "analyzer/report/suppress.h"
#include "analyzer/tool/explain_pages.h"
#include "analyzer/tool/process.h"
#include "rules/rule.h"

#ifndef AWAITC_VERSION
#define AWAITC_VERSION "unknown"
#endif

/* ---- options --------------------------------------------------------------------------------- */

static bool severity_of(const char *word, enum diag_severity *out)
{
    static const char *const words[] = {
        [DIAG_NOTE] = "note", [DIAG_WARNING] = "warning", [DIAG_ERROR] = "error"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(words[i], word) == 0) {
            *out = (enum diag_severity)i;
            return true;
        }
    }
    return false;
}

int lint_report_check_options(const options *opts)
{
    enum diag_severity severity;
    const char *format = opts->value[OPTION_FORMAT], *fail_on = opts->value[OPTION_FAIL_ON];
    if (format != NULL && renderer_find(format) == NULL)
        return options_misuse("no format '%s'; there are text, json, sarif, github and html",
                              format);
    if (fail_on != NULL && !severity_of(fail_on, &severity))
        return options_misuse("--fail-on takes note, warning or error, not '%s'", fail_on);
    if (opts->value[OPTION_WRITE_BASELINE] != NULL && opts->value[OPTION_BASELINE] == NULL)
        return options_misuse("--write-baseline needs --baseline=FILE, which says where to");
    return 0;
}

/* ---- which findings count -------------------------------------------------------------------- */

static const char *default_state(const char *rule)
{
    const struct rule *known = rules_find(rule);
    return known == NULL || known->is_on ? "on" : "off";
}

static void drop_disabled(struct lint_report *r)
{
    finding_list *list = r->findings;
    size_t kept = 0;
    for (size_t i = 0; i < list->all.count; i++) {
        struct finding *f = list->all.at[i];
        const struct lint_setup *setup =
            f->place.file == NULL ? r->setup : lint_setup_of(r->setups, f->place.file);
        bool is_on = strcmp(default_state(f->rule), "on") == 0;
        if (setup != NULL && lint_setup_enables(r->setups, setup, f->rule, is_on))
            list->all.at[kept++] = f;
    }
    list->all.count = kept;
}

static const bool *ran_over(void *context, const char *file)
{
    struct lint_report *r = context;
    const struct lint_setup *setup = lint_setup_of(r->setups, file);
    return setup == NULL ? r->setup->enabled : setup->enabled;
}

static size_t apply_suppressions(struct lint_report *r)
{
    suppressions *s = suppress_new(r->mem);
    for (size_t i = 0; i < r->unit_count; i++) {
        const struct unit_facts *u = r->units[i];
        for (size_t k = 0; k < u->suppressions.count; k++)
            suppress_read_line(s, u->path, sv_from(u->suppressions.at[k]));
    }
    size_t silenced = suppress_apply(s, r->findings);
    uint32_t count;
    const struct rule *rules = rules_all(&count);
    const char **ids = ARENA_ARRAY(r->mem, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        ids[i] = rules[i].id;
    struct suppress_checks checks = {
        .known = ids, .ran = r->setup->enabled, .count = count, .ran_over = ran_over, .context = r};
    const struct rule *own = rules_find("awaitc-unused-suppression");
    if (own != NULL && lint_setup_enables(r->setups, r->setup, own->id, own->is_on))
        suppress_report_unused(s, &checks, r->findings);
    return silenced;
}

/* ---- baseline -------------------------------------------------------------------------------- */

static bool write_text(struct lint_report *r, const char *path, strview text)
{
    if (process_write_file(r->mem, path, text))
        return true;
    fprintf(stderr, "awaitc: error: cannot write '%s': %s [awaitc-input]\n", path, strerror(errno));
    return false;
}

/* An exit status; *known gets the number of findings that are not new. */
static int apply_baseline(struct lint_report *r, source_cache *sources, size_t *known)
{
    const char *path = r->opts->value[OPTION_BASELINE];
    strview text;
    *known = 0;
    if (path == NULL)
        return 0;
    if (!source_cache_text(sources, path, &text)) {
        fprintf(stderr,
                "awaitc: error: cannot read '%s': %s; make it with --write-baseline "
                "[awaitc-input]\n",
                path, strerror(errno));
        return 2;
    }
    baseline *b = baseline_parse(r->mem, path, text, r->sink);
    if (b == NULL)
        return 2;
    *known = baseline_apply(b, r->findings);
    return 0;
}

/* ---- the report ------------------------------------------------------------------------------ */

static void fill_rules(struct lint_report *r, struct render_context *cx)
{
    uint32_t count;
    const struct rule *rules = rules_all(&count);
    struct render_rule *shown = ARENA_ARRAY(r->mem, struct render_rule, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (r->setup->enabled[i])
            shown[cx->rule_count++] = (struct render_rule){.id = rules[i].id,
                                                           .summary = rules[i].summary,
                                                           .help = explain_rule_page,
                                                           .severity = rules[i].severity};
    }
    cx->rules = shown;
}

static int show(struct lint_report *r, const struct render_context *cx)
{
    const char *format = r->opts->value[OPTION_FORMAT], *path = r->opts->value[OPTION_OUTPUT];
    const struct renderer *renderer = renderer_find(format != NULL ? format : "text");
    if (path == NULL || strcmp(path, "-") == 0) {
        renderer->write(stdout, r->findings, cx);
        return 0; /* cmd_lint looks whether it was written */
    }
    char *text = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&text, &len);
    if (memory == NULL)
        return 2;
    renderer->write(memory, r->findings, cx);
    bool written = fclose(memory) == 0 && write_text(r, path, (strview){text, len});
    free(text);
    return written ? 0 : 2;
}

static void count_text(strbuf *out, size_t count, const char *what)
{
    if (count != 0)
        strbuf_fmt(out, "%s%zu %s%s", out->len == 0 ? "" : ", ", count, what,
                   count == 1 ? "" : "s");
}

static size_t fixable_count(const finding_list *findings)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->all.count; i++)
        count += findings->all.at[i]->fixes.count != 0;
    return count;
}

/* The last line, for people: "2 errors, 5 warnings in 29 files (3 can be mended with --fix), ...".
 */
static void summarise(const struct lint_report *r, const struct render_context *cx)
{
    if (r->findings->all.count == 0 && cx->suppressed_count == 0 && cx->baseline_count == 0)
        return;
    strbuf text = strbuf_in(r->mem);
    bool mends = r->opts->value[OPTION_FIX] != NULL || r->opts->value[OPTION_FIX_DRY_RUN] != NULL;
    size_t fixable = mends ? 0 : fixable_count(r->findings);
    count_text(&text, render_count(r->findings, DIAG_ERROR), "error");
    count_text(&text, render_count(r->findings, DIAG_WARNING), "warning");
    count_text(&text, render_count(r->findings, DIAG_NOTE), "note");
    fprintf(stderr, "%s in %u file%s", text.len == 0 ? "no findings" : strbuf_text(&text),
            cx->file_count, cx->file_count == 1 ? "" : "s");
    if (fixable != 0)
        fprintf(stderr, " (--fix mends %zu)", fixable);
    if (cx->suppressed_count != 0)
        fprintf(stderr, ", %u silenced by NOLINT", cx->suppressed_count);
    if (cx->baseline_count != 0)
        fprintf(stderr, ", %u in the baseline", cx->baseline_count);
    fputs("\n", stderr);
}

static int apply_fixes(struct lint_report *r, source_cache *sources,
                       const struct render_context *cx)
{
    bool dry = r->opts->value[OPTION_FIX_DRY_RUN] != NULL;
    if (!dry && r->opts->value[OPTION_FIX] == NULL)
        return 0;
    struct fix_plan *plan = fix_plan_new(r->mem, r->findings, sources);
    for (size_t i = 0; i < plan->skipped.count; i++) {
        const struct finding *f = plan->skipped.at[i].finding;
        fprintf(stderr, "%s:%u:%u: note: this fix was not applied: %s\n", f->place.file,
                f->place.line, f->place.column, plan->skipped.at[i].reason);
    }
    if (dry) {
        fix_plan_print_diff(plan, cx, stdout);
        return 0;
    }
    size_t written = fix_plan_apply(plan, r->mem, process_write_file, r->sink);
    fprintf(stderr, "%u fix%s applied in %zu file%s\n", plan->applied,
            plan->applied == 1 ? "" : "es", written, written == 1 ? "" : "s");
    return written == plan->files.count ? 0 : 2;
}

/* From which severity on a finding fails: as its source's configuration says. */
static enum diag_severity failing_severity(const struct lint_report *r, const struct finding *f)
{
    const struct lint_setup *setup =
        f->place.file == NULL ? NULL : lint_setup_of(r->setups, f->place.file);
    enum diag_severity severity = (setup == NULL ? r->setup : setup)->config->fail_on;
    const char *word = r->opts->value[OPTION_FAIL_ON];
    if (word != NULL)
        severity_of(word, &severity);
    return severity;
}

static int verdict(const struct lint_report *r)
{
    for (size_t i = 0; i < r->findings->all.count; i++) {
        const struct finding *f = r->findings->all.at[i];
        if (f->severity >= failing_severity(r, f))
            return 1;
    }
    return 0;
}

/* Behind the text report; beside a report that a program reads. */
static void show_audit(const struct lint_report *r)
{
    const char *format = r->opts->value[OPTION_FORMAT];
    bool is_text = format == NULL || strcmp(format, "text") == 0;
    if (r->opts->value[OPTION_AUDIT] != NULL)
        program_audit(r->program, is_text || r->opts->value[OPTION_OUTPUT] ? stdout : stderr);
}

/* Colour for people, unless they do not want it (no-color.org). */
static bool wants_colour(const struct lint_report *r)
{
    const char *path = r->opts->value[OPTION_OUTPUT], *no = getenv("NO_COLOR");
    return (path == NULL || strcmp(path, "-") == 0) && isatty(STDOUT_FILENO) != 0 &&
           (no == NULL || no[0] == '\0');
}

int lint_report_make(struct lint_report *r)
{
    char cwd[PATH_MAX];
    source_cache *sources = source_cache_new(r->mem);
    size_t known = 0;
    drop_disabled(r);
    finding_list_sort(r->findings);
    size_t silenced = apply_suppressions(r);
    finding_list_sort(r->findings);
    struct render_context cx = {.mem = r->mem,
                                .sources = sources,
                                .root = getcwd(cwd, sizeof cwd),
                                .version = AWAITC_VERSION,
                                .file_count = (uint32_t)r->unit_count,
                                .suppressed_count = (uint32_t)silenced,
                                .notices = r->notices,
                                .notice_count = r->notice_count,
                                .colour = wants_colour(r)};
    if (r->opts->value[OPTION_WRITE_BASELINE] != NULL)
        return write_text(r, r->opts->value[OPTION_BASELINE], baseline_text(r->findings, &cx)) ? 0
                                                                                               : 2;
    int status = apply_baseline(r, sources, &known);
    if (status != 0)
        return status;
    cx.baseline_count = (uint32_t)known;
    fill_rules(r, &cx);
    status = apply_fixes(r, sources, &cx);
    if (status == 0 && r->opts->value[OPTION_FIX_DRY_RUN] == NULL)
        status = show(r, &cx);
    show_audit(r);
    summarise(r, &cx);
    int found = verdict(r);
    return found > status ? found : status;
}
