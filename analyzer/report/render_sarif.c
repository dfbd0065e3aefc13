/* SPDX-License-Identifier: MIT */
/*
 * SARIF 2.1.0 (an OASIS standard) for code scanning. One run:
 *
 *     tool.driver.rules   all checks that ran, with their pages
 *     artifacts           the files that are named, sorted; locations refer to them by number
 *     results             findings; the chain as codeFlows and, for viewers without those, as
 *                         relatedLocations; fixes; partialFingerprints
 *     invocations         what could not be checked, as notifications
 *
 * Columns count Unicode characters (columnKind). Regions of fixes are given by line and column, by
 * characters and by bytes. URIs are relative to SRCROOT, which has no URI itself, so that no path
 * of a machine gets into a report; only files elsewhere have absolute ones.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/base/utf8.h"
#include "analyzer/report/json_build.h"

enum { LONGEST_SNIPPET_BYTES = 400 };

/* How many characters the first bytes of a text are. Edits come nearly in order, so counting goes
 * on from the last one. */
struct counted {
    const char *text;
    size_t len;
    uint64_t chars;
};

struct sarif_report {
    const struct render_context *cx;
    VEC(const char *) files; /* as shown; sorted, once each */
    struct counted *counted;
};

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void add_file(struct sarif_report *r, const char *file)
{
    if (file != NULL)
        VEC_PUSH(r->cx->mem, &r->files, render_path(r->cx, file));
}

static void add_files_of(struct sarif_report *r, const struct finding *f)
{
    add_file(r, f->place.file);
    for (size_t i = 0; i < f->steps.count; i++)
        add_file(r, f->steps.at[i].place.file);
    for (size_t i = 0; i < f->fixes.count; i++) {
        for (size_t k = 0; k < f->fixes.at[i].edits.count; k++)
            add_file(r, f->fixes.at[i].edits.at[k].file);
    }
}

static void collect_files(struct sarif_report *r, const finding_list *findings)
{
    for (size_t i = 0; i < findings->all.count; i++)
        add_files_of(r, findings->all.at[i]);
    for (size_t i = 0; i < r->cx->notice_count; i++)
        add_file(r, r->cx->notices[i].place.file);
    if (r->files.count == 0)
        return;
    qsort(r->files.at, r->files.count, sizeof *r->files.at, compare_names);
    size_t kept = 1;
    for (size_t i = 1; i < r->files.count; i++) {
        if (strcmp(r->files.at[kept - 1], r->files.at[i]) != 0)
            r->files.at[kept++] = r->files.at[i];
    }
    r->files.count = kept;
}

static const char *uri_of(arena *mem, const char *path)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    strbuf uri = strbuf_in(mem);
    strbuf_str(&uri, path[0] == '/' ? "file://" : "");
    for (; *path != '\0'; path++) {
        if (strchr(plain, *path) != NULL)
            strbuf_char(&uri, *path);
        else
            strbuf_fmt(&uri, "%%%02X", (unsigned)(unsigned char)*path);
    }
    return strbuf_text(&uri);
}

static void put_artifact_location(const struct sarif_report *r, json_t *parent, const char *key,
                                  const char *shown)
{
    json_t *location = json_put_object(parent, key);
    json_put_text(r->cx, location, "uri", uri_of(r->cx->mem, shown));
    if (shown[0] != '/' && !sv_starts(sv_from(shown), "../"))
        json_put_text(r->cx, location, "uriBaseId", "SRCROOT");
    const char **at =
        bsearch(&shown, r->files.at, r->files.count, sizeof *r->files.at, compare_names);
    if (at != NULL)
        json_put_number(location, "index", (uint64_t)(at - r->files.at));
}

static void put_message(const struct sarif_report *r, json_t *parent, const char *key,
                        const char *text)
{
    json_put_text(r->cx, json_put_object(parent, key), "text", text);
}

/* The region of a finding or step; what is not known is left out. */
static void put_region(const struct sarif_report *r, json_t *physical,
                       const struct diag_place *place, uint32_t end_column)
{
    if (place->line == 0)
        return;
    json_t *region = json_put_object(physical, "region");
    json_put_number(region, "startLine", place->line);
    json_put_nonzero(region, "startColumn", render_char_column(r->cx, place, place->column));
    if (place->column != 0 && end_column > place->column)
        json_put_number(region, "endColumn", render_char_column(r->cx, place, end_column));
}

static void put_context(const struct sarif_report *r, json_t *physical,
                        const struct diag_place *place)
{
    strview line;
    if (!source_cache_line(r->cx->sources, place->file, place->line, &line) ||
        line.len > LONGEST_SNIPPET_BYTES)
        return;
    json_t *context = json_put_object(physical, "contextRegion");
    json_put_number(context, "startLine", place->line);
    json_put_number(context, "endLine", place->line);
    json_put_view(r->cx, json_put_object(context, "snippet"), "text", line);
}

/* The members of a location object. */
static void fill_location(const struct sarif_report *r, json_t *location,
                          const struct diag_place *place, uint32_t end_column)
{
    if (place->file == NULL)
        return;
    json_t *physical = json_put_object(location, "physicalLocation");
    put_artifact_location(r, physical, "artifactLocation", render_path(r->cx, place->file));
    put_region(r, physical, place, end_column);
    put_context(r, physical, place);
}

static void put_function(const struct sarif_report *r, json_t *location, const char *function)
{
    if (function == NULL)
        return;
    json_t *logical = json_append_object(json_put_array(location, "logicalLocations"));
    json_put_text(r->cx, logical, "name", function);
    json_put_text(r->cx, logical, "kind", "function");
}

static void fill_step(const struct sarif_report *r, json_t *location,
                      const struct finding_step *step)
{
    fill_location(r, location, &step->place, 0);
    put_function(r, location, step->function);
    put_message(r, location, "message", step->text);
}

/* The chain twice: as a flow that begins at the finding, and as related places. */
static void put_chain(const struct sarif_report *r, json_t *result, const struct finding *f)
{
    if (f->steps.count == 0)
        return;
    json_t *flow = json_append_object(json_put_array(result, "codeFlows"));
    json_t *thread = json_append_object(json_put_array(flow, "threadFlows"));
    json_t *places = json_put_array(thread, "locations");
    json_t *first = json_put_object(json_append_object(places), "location");
    fill_location(r, first, &f->place, f->end_column);
    put_function(r, first, f->function);
    put_message(r, first, "message", f->message);
    json_t *related = json_put_array(result, "relatedLocations");
    for (size_t i = 0; i < f->steps.count; i++) {
        fill_step(r, json_put_object(json_append_object(places), "location"), &f->steps.at[i]);
        json_t *place = json_append_object(related);
        json_put_number(place, "id", i + 1);
        fill_step(r, place, &f->steps.at[i]);
    }
}

/* Characters of the file's first `len` bytes; a byte order mark is none. */
static uint64_t chars_before(const struct sarif_report *r, strview text, size_t len)
{
    struct counted *c = r->counted;
    if (c->text != text.at || c->len > len)
        *c = (struct counted){text.at, 0, 0};
    c->chars += utf8_count((strview){text.at + c->len, len - c->len});
    c->len = len;
    return sv_starts(text, "\xef\xbb\xbf") && len >= 3 ? c->chars - 1 : c->chars;
}

static void put_offset(const struct sarif_report *r, json_t *region, const char *const keys[2],
                       const char *file, size_t offset)
{
    uint32_t line = source_cache_line_count(r->cx->sources, file) == 0
                        ? 1
                        : source_cache_line_at(r->cx->sources, file, offset);
    strview text = {"", 0};
    source_cache_text(r->cx->sources, file, &text);
    size_t start = text.len == 0 ? 0 : source_cache_line_start(r->cx->sources, file, line);
    if (start == 0 && sv_starts(text, "\xef\xbb\xbf") && offset >= 3)
        start = 3;
    uint64_t column = utf8_count((strview){text.at + start, offset - start}) + 1;
    if (offset == text.len && sv_ends(text, "\n")) { /* behind the last line */
        line++;
        column = 1;
    }
    json_put_number(region, keys[0], line);
    json_put_number(region, keys[1], column);
}

static void put_deleted_region(const struct sarif_report *r, json_t *replacement,
                               const struct finding_edit *edit, strview text)
{
    static const char *const start_keys[] = {"startLine", "startColumn"};
    static const char *const end_keys[] = {"endLine", "endColumn"};
    json_t *region = json_put_object(replacement, "deletedRegion");
    put_offset(r, region, start_keys, edit->file, edit->begin);
    put_offset(r, region, end_keys, edit->file, edit->end);
    uint64_t first = chars_before(r, text, edit->begin);
    json_put_number(region, "charOffset", first);
    json_put_number(region, "charLength", chars_before(r, text, edit->end) - first);
    json_put_number(region, "byteOffset", edit->begin);
    json_put_number(region, "byteLength", edit->end - edit->begin);
}

/* Can the fix be told: are its files there, its offsets inside, its texts UTF-8? */
static bool can_be_told(const struct sarif_report *r, const struct finding_fix *fix)
{
    for (size_t i = 0; i < fix->edits.count; i++) {
        const struct finding_edit *edit = &fix->edits.at[i];
        strview text;
        if (!source_cache_text(r->cx->sources, edit->file, &text) || edit->begin > edit->end ||
            edit->end > text.len || !utf8_is_valid(sv_from(edit->text)))
            return false;
    }
    return fix->edits.count > 0;
}

/* The edits of one file, those of the i-th edit; only if no earlier edit is of that file. */
static void put_change(const struct sarif_report *r, json_t *changes, const struct finding_fix *fix,
                       size_t i)
{
    const char *file = fix->edits.at[i].file;
    for (size_t k = 0; k < i; k++) {
        if (strcmp(fix->edits.at[k].file, file) == 0)
            return;
    }
    strview text = {"", 0};
    source_cache_text(r->cx->sources, file, &text);
    json_t *change = json_append_object(changes);
    put_artifact_location(r, change, "artifactLocation", render_path(r->cx, file));
    json_t *replacements = json_put_array(change, "replacements");
    for (size_t k = i; k < fix->edits.count; k++) {
        const struct finding_edit *edit = &fix->edits.at[k];
        if (strcmp(edit->file, file) != 0)
            continue;
        json_t *replacement = json_append_object(replacements);
        put_deleted_region(r, replacement, edit, text);
        if (edit->text[0] != '\0')
            put_message(r, replacement, "insertedContent", edit->text);
    }
}

static void put_fixes(const struct sarif_report *r, json_t *result, const struct finding *f)
{
    json_t *fixes = json_array();
    for (size_t i = 0; i < f->fixes.count; i++) {
        const struct finding_fix *fix = &f->fixes.at[i];
        if (!can_be_told(r, fix))
            continue;
        json_t *object = json_append_object(fixes);
        put_message(r, object, "description", fix->title);
        json_t *changes = json_put_array(object, "artifactChanges");
        for (size_t k = 0; k < fix->edits.count; k++)
            put_change(r, changes, fix, k);
    }
    if (json_array_size(fixes) > 0)
        json_object_set(result, "fixes", fixes);
    json_decref(fixes);
}

static void put_rule_index(const struct sarif_report *r, json_t *result, const char *rule)
{
    for (size_t i = 0; i < r->cx->rule_count; i++) {
        if (strcmp(r->cx->rules[i].id, rule) == 0) {
            json_put_number(result, "ruleIndex", i);
            return;
        }
    }
}

static void put_result(const struct sarif_report *r, json_t *results, const struct finding *f)
{
    json_t *result = json_append_object(results);
    json_put_text(r->cx, result, "ruleId", f->rule);
    put_rule_index(r, result, f->rule);
    json_put_text(r->cx, result, "level", finding_severity_text(f->severity));
    put_message(r, result, "message", f->message);
    json_t *location = json_append_object(json_put_array(result, "locations"));
    fill_location(r, location, &f->place, f->end_column);
    put_function(r, location, f->function);
    put_chain(r, result, f);
    put_fixes(r, result, f);
    json_put_text(r->cx, json_put_object(result, "partialFingerprints"), "awaitcChain/v1",
                  finding_fingerprint(r->cx->mem, f));
}

/* Code scanning wants all three texts of each check. */
static void put_rule(const struct sarif_report *r, json_t *rules, const struct render_rule *rule)
{
    const char *page = rule->help == NULL ? NULL : rule->help(r->cx->mem, rule->id);
    const char *help = page != NULL ? page : rule->summary;
    json_t *object = json_append_object(rules);
    json_put_text(r->cx, object, "id", rule->id);
    put_message(r, object, "shortDescription", rule->summary);
    put_message(r, object, "fullDescription", rule->summary);
    json_t *texts = json_put_object(object, "help");
    json_put_text(r->cx, texts, "text", help);
    json_put_text(r->cx, texts, "markdown", help);
    json_put_text(r->cx, json_put_object(object, "defaultConfiguration"), "level",
                  finding_severity_text(rule->severity));
}

static void put_driver(const struct sarif_report *r, json_t *run)
{
    json_t *driver = json_put_object(json_put_object(run, "tool"), "driver");
    json_put_text(r->cx, driver, "name", "awaitc");
    json_put_text(r->cx, driver, "version", r->cx->version);
    json_put_text(r->cx, driver, "semanticVersion", r->cx->version);
    json_t *rules = json_put_array(driver, "rules");
    for (size_t i = 0; i < r->cx->rule_count; i++)
        put_rule(r, rules, &r->cx->rules[i]);
}

static void put_invocation(const struct sarif_report *r, json_t *run)
{
    json_t *invocation = json_append_object(json_put_array(run, "invocations"));
    json_object_set_new(invocation, "executionSuccessful", json_boolean(r->cx->notice_count == 0));
    if (r->cx->notice_count == 0)
        return;
    json_t *notifications = json_put_array(invocation, "toolExecutionNotifications");
    for (size_t i = 0; i < r->cx->notice_count; i++) {
        json_t *object = json_append_object(notifications);
        json_put_text(r->cx, object, "level", "error");
        put_message(r, object, "message", r->cx->notices[i].text);
        json_t *location = json_append_object(json_put_array(object, "locations"));
        fill_location(r, location, &r->cx->notices[i].place, 0);
    }
}

static void put_artifacts(const struct sarif_report *r, json_t *run)
{
    json_t *base = json_put_object(json_put_object(run, "originalUriBaseIds"), "SRCROOT");
    put_message(r, base, "description", "The root of the sources, where awaitc lint was run.");
    json_t *artifacts = json_put_array(run, "artifacts");
    for (size_t i = 0; i < r->files.count; i++) {
        json_t *artifact = json_append_object(artifacts);
        put_artifact_location(r, artifact, "location", r->files.at[i]);
        json_put_text(r->cx, artifact, "sourceLanguage", "c");
    }
}

void render_sarif(FILE *to, const finding_list *findings, const struct render_context *cx)
{
    struct counted counted = {0};
    struct sarif_report r = {.cx = cx, .counted = &counted};
    collect_files(&r, findings);
    json_t *log = json_object();
    json_put_text(cx, log, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_put_text(cx, log, "version", "2.1.0");
    json_t *run = json_append_object(json_put_array(log, "runs"));
    put_driver(&r, run);
    put_invocation(&r, run);
    put_artifacts(&r, run);
    json_put_text(cx, run, "columnKind", "unicodeCodePoints");
    json_t *results = json_put_array(run, "results");
    for (size_t i = 0; i < findings->all.count; i++)
        put_result(&r, results, findings->all.at[i]);
    json_write(to, log);
}
