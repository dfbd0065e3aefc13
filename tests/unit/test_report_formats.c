/* SPDX-License-Identifier: MIT */
/* What do programs read of findings, in JSON, SARIF and GitHub's workflow commands? */
#include "tests/unit/report_fixture.h"

#include <jansson.h>

#include "analyzer/report/render.h"

static const char *page(arena *mem, const char *id)
{
    (void)mem;
    (void)id;
    return "# page\n";
}

static const struct render_rule rules[] = {
    {"awaitc-await-in-loop", "a loop", NULL, DIAG_WARNING},
    {"awaitc-blocking-call", "a call", page, DIAG_WARNING},
};

static const char *shown(struct report_fixture *f, const char *format)
{
    static const struct render_notice notice = {{"bad.c", 3, 1}, "does not parse"};
    struct render_context cx = {.mem = f->mem,
                                .sources = f->sources,
                                .root = "/proj",
                                .version = "1.2.3",
                                .rules = rules,
                                .rule_count = 2,
                                .notices = &notice,
                                .notice_count = 1,
                                .file_count = 7,
                                .suppressed_count = 2};
    struct printed p;
    print_start(&p);
    renderer_find(format)->write(p.to, &f->list, &cx);
    return print_end(&p, f->mem);
}

static json_t *parsed(struct report_fixture *f, const char *format)
{
    json_error_t error;
    json_t *value = json_loads(shown(f, format), JSON_REJECT_DUPLICATES, &error);
    if (value == NULL)
        fail_msg("%s:%d: %s", format, error.line, error.text);
    return value;
}

/* The value at a path such as "runs.0.results", borrowed. */
static json_t *at(json_t *value, const char *path)
{
    char copy[200];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *key = strtok(copy, "."); key != NULL; key = strtok(NULL, ".")) {
        value = json_is_array(value) ? json_array_get(value, (size_t)atoi(key))
                                     : json_object_get(value, key);
        if (value == NULL)
            fail_msg("nothing at '%s' of '%s'", key, path);
    }
    return value;
}

static void assert_text(json_t *value, const char *path, const char *text)
{
    const char *is = json_string_value(at(value, path));
    assert_non_null(is);
    assert_string_equal(is, text);
}

static void assert_number(json_t *value, const char *path, long long number)
{
    assert_true(json_is_integer(at(value, path)));
    assert_int_equal(json_integer_value(at(value, path)), number);
}

/* One finding with all that one can have: two characters of several bytes, and a byte that is no
 * character, stand before it; its fix edits two lines. */
static void add_full(struct report_fixture *f)
{
    write_text("io.c", "\xef\xbb\xbfvoid g(void)\n{\n\xe4\xb8\xad\xff flush(x);\n}\n");
    struct finding *x = add(f, "/proj/../proj/io.c", 3, 6, "waits");
    x->place.file = "io.c";
    x->end_column = 11;
    x->function = "g";
    x->leaf = "fsync";
    add_step(f, x, (struct diag_place){"/proj/lib/log 1.c", 30, 9}, "flush", "calls 'fsync'");
    struct finding_fix fix = {.title = "await it"};
    VEC_PUSH(f->mem, &fix.edits, (struct finding_edit){"io.c", 23, 28, "aw_flush"});
    VEC_PUSH(f->mem, &fix.edits, (struct finding_edit){"io.c", 34, 34, "\n"});
    VEC_PUSH(f->mem, &x->fixes, fix);
}

static void json_has_all_of_a_finding(void **state)
{
    struct report_fixture *f = *state;
    add_full(f);
    json_t *r = parsed(f, "json");
    assert_text(r, "tool.version", "1.2.3");
    assert_text(r, "findings.0.rule", "awaitc-blocking-call");
    assert_text(r, "findings.0.file", "io.c");
    assert_number(r, "findings.0.column", 6);
    assert_number(r, "findings.0.end_column", 11);
    assert_text(r, "findings.0.steps.0.file", "lib/log 1.c");
    assert_text(r, "findings.0.steps.0.function", "flush");
    assert_text(r, "findings.0.fixes.0.title", "await it");
    assert_number(r, "findings.0.fixes.0.edits.0.begin", 23);
    assert_text(r, "findings.0.fingerprint", finding_fingerprint(f->mem, f->list.all.at[0]));
    assert_text(r, "notices.0.message", "does not parse");
    assert_number(r, "summary.warnings", 1);
    assert_number(r, "summary.errors", 0);
    assert_number(r, "summary.suppressed", 2);
    json_decref(r);
}

static void json_takes_texts_that_are_no_utf8(void **state)
{
    struct report_fixture *f = *state;
    struct finding *x = add(f, "caf\xe9.c", 1, 1, "bad \xff byte");
    add_fix(f, x, (struct finding_edit){"caf\xe9.c", 0, 0, "\xff"}, "cannot be told");
    json_t *r = parsed(f, "json");
    assert_text(r, "findings.0.file", "caf\xef\xbf\xbd.c");
    assert_text(r, "findings.0.message", "bad \xef\xbf\xbd byte");
    assert_int_equal(json_array_size(at(r, "findings.0.fixes")), 0);
    json_decref(r);
}

static void sarif_counts_characters_and_gives_the_chain(void **state)
{
    struct report_fixture *f = *state;
    add_full(f);
    json_t *r = parsed(f, "sarif");
    assert_text(r, "runs.0.columnKind", "unicodeCodePoints");
    json_t *result = at(r, "runs.0.results.0");
    assert_number(result, "ruleIndex", 1);
    assert_text(result, "level", "warning");
    json_t *place = at(result, "locations.0.physicalLocation");
    assert_text(place, "artifactLocation.uri", "io.c");
    assert_text(place, "artifactLocation.uriBaseId", "SRCROOT");
    assert_number(place, "region.startLine", 3);
    assert_number(place, "region.startColumn", 4);
    assert_number(place, "region.endColumn", 9);
    assert_text(place, "contextRegion.snippet.text", "\xe4\xb8\xad\xef\xbf\xbd flush(x);");
    json_t *flow = at(result, "codeFlows.0.threadFlows.0.locations");
    assert_int_equal(json_array_size(flow), 2);
    assert_text(flow, "0.location.message.text", "waits");
    assert_text(flow, "1.location.physicalLocation.artifactLocation.uri", "lib/log%201.c");
    assert_text(flow, "1.location.logicalLocations.0.name", "flush");
    assert_text(result, "relatedLocations.0.message.text", "calls 'fsync'");
    assert_text(result, "partialFingerprints.awaitcChain/v1",
                finding_fingerprint(f->mem, f->list.all.at[0]));
    json_decref(r);
}

static void sarif_gives_the_regions_of_fixes_in_lines_characters_and_bytes(void **state)
{
    struct report_fixture *f = *state;
    add_full(f);
    json_t *r = parsed(f, "sarif");
    json_t *change = at(r, "runs.0.results.0.fixes.0.artifactChanges.0");
    assert_text(change, "artifactLocation.uri", "io.c");
    json_t *first = at(change, "replacements.0");
    assert_number(first, "deletedRegion.startLine", 3);
    assert_number(first, "deletedRegion.startColumn", 4);
    assert_number(first, "deletedRegion.endLine", 3);
    assert_number(first, "deletedRegion.endColumn", 9);
    assert_number(first, "deletedRegion.charOffset", 18);
    assert_number(first, "deletedRegion.charLength", 5);
    assert_number(first, "deletedRegion.byteOffset", 23);
    assert_number(first, "deletedRegion.byteLength", 5);
    assert_text(first, "insertedContent.text", "aw_flush");
    assert_number(change, "replacements.1.deletedRegion.startLine", 4);
    assert_number(change, "replacements.1.deletedRegion.startColumn", 2);
    json_decref(r);
}

static void sarif_names_no_path_of_the_machine(void **state)
{
    struct report_fixture *f = *state;
    add(f, "/proj/src/a.c", 1, 1, "m");
    add(f, "/usr/include/b.h", 1, 1, "m");
    add(f, "../c.h", 1, 1, "m");
    finding_list_sort(&f->list);
    const char *text = shown(f, "sarif");
    assert_null(strstr(text, "/proj"));
    json_t *r = parsed(f, "sarif");
    assert_text(r, "runs.0.artifacts.0.location.uri", "../c.h");
    assert_text(r, "runs.0.artifacts.1.location.uri", "file:///usr/include/b.h");
    assert_text(r, "runs.0.artifacts.2.location.uri", "bad.c");
    assert_text(r, "runs.0.artifacts.3.location.uri", "src/a.c");
    assert_null(json_object_get(at(r, "runs.0.artifacts.0.location"), "uriBaseId"));
    assert_number(r, "runs.0.results.1.locations.0.physicalLocation.artifactLocation.index", 3);
    json_decref(r);
}

static void sarif_tells_the_checks_and_what_could_not_be_read(void **state)
{
    struct report_fixture *f = *state;
    json_t *r = parsed(f, "sarif");
    assert_text(r, "runs.0.tool.driver.rules.1.id", "awaitc-blocking-call");
    assert_text(r, "runs.0.tool.driver.rules.1.help.markdown", "# page\n");
    assert_true(json_is_false(at(r, "runs.0.invocations.0.executionSuccessful")));
    assert_text(r, "runs.0.invocations.0.toolExecutionNotifications.0.message.text",
                "does not parse");
    assert_int_equal(json_array_size(at(r, "runs.0.results")), 0);
    json_decref(r);
}

static void sarif_leaves_out_fixes_that_do_not_fit_the_file(void **state)
{
    struct report_fixture *f = *state;
    write_text("a.c", "abc");
    struct finding *x = add(f, "a.c", 1, 1, "m");
    add_fix(f, x, (struct finding_edit){"a.c", 2, 9, "x"}, "too long");
    add_fix(f, x, (struct finding_edit){"none.c", 0, 0, "x"}, "no file");
    add_fix(f, x, (struct finding_edit){"a.c", 0, 0, "\xff"}, "no text");
    json_t *r = parsed(f, "sarif");
    assert_null(json_object_get(at(r, "runs.0.results.0"), "fixes"));
    json_decref(r);
}

static void the_same_findings_give_the_same_bytes(void **state)
{
    struct report_fixture *f = *state;
    add_full(f);
    static const char *const formats[] = {"text", "json", "sarif", "github"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        assert_string_equal(shown(f, formats[i]), shown(f, formats[i]));
}

static void github_escapes_what_would_end_a_value(void **state)
{
    struct report_fixture *f = *state;
    struct finding *x = add(f, "a,b:c%.c", 3, 4, "50% of it: a,\r\nb");
    x->severity = DIAG_NOTE;
    add_step(f, x, (struct diag_place){"/proj/d.c", 1, 2}, NULL, "here");
    assert_string_equal(shown(f, "github"),
                        "::notice file=a%2Cb%3Ac%25.c,line=3,col=4,title=awaitc-blocking-call::"
                        "50%25 of it: a,%0D%0Ab%0Ad.c:1:2: here\n");
}

static void github_without_a_place(void **state)
{
    struct report_fixture *f = *state;
    add(f, NULL, 0, 0, "m")->severity = DIAG_ERROR;
    add(f, "a.c", 0, 0, "m");
    assert_string_equal(shown(f, "github"), "::error title=awaitc-blocking-call::m\n"
                                            "::warning file=a.c,title=awaitc-blocking-call::m\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REPORT_CASE(json_has_all_of_a_finding),
        REPORT_CASE(json_takes_texts_that_are_no_utf8),
        REPORT_CASE(sarif_counts_characters_and_gives_the_chain),
        REPORT_CASE(sarif_gives_the_regions_of_fixes_in_lines_characters_and_bytes),
        REPORT_CASE(sarif_names_no_path_of_the_machine),
        REPORT_CASE(sarif_tells_the_checks_and_what_could_not_be_read),
        REPORT_CASE(sarif_leaves_out_fixes_that_do_not_fit_the_file),
        REPORT_CASE(the_same_findings_give_the_same_bytes),
        REPORT_CASE(github_escapes_what_would_end_a_value),
        REPORT_CASE(github_without_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
