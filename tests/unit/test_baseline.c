/* SPDX-License-Identifier: MIT */
/* Which findings does a baseline know, and what does its file look like? */
#include "tests/unit/report_fixture.h"

#include "analyzer/report/baseline.h"

static struct finding *add_in(struct report_fixture *f, const char *file, uint32_t line,
                              const char *function, const char *leaf)
{
    struct finding *x = add(f, file, line, 1, "m");
    x->function = function;
    x->leaf = leaf;
    return x;
}

static strview written(struct report_fixture *f)
{
    struct render_context cx = {.mem = f->mem, .root = "/proj"};
    return baseline_text(&f->list, &cx);
}

static baseline *parse(struct report_fixture *f, const char *text)
{
    return baseline_parse(f->mem, "base.json", sv_from(text), f->sink);
}

static void what_was_written_is_known_when_lines_move(void **state)
{
    struct report_fixture *f = *state;
    add_in(f, "/proj/b.c", 5, "g", "fsync");
    add_in(f, "a.c", 7, NULL, NULL);
    strview text = written(f);
    for (size_t i = 0; i < f->list.all.count; i++)
        f->list.all.at[i]->place.line += 100;
    struct finding *other = add_in(f, "b.c", 6, "g", "sleep");
    baseline *b = baseline_parse(f->mem, "base.json", text, f->sink);
    assert_non_null(b);
    assert_int_equal(baseline_apply(b, &f->list), 2);
    assert_int_equal(f->list.all.count, 1);
    assert_ptr_equal(f->list.all.at[0], other);
    assert_int_equal(baseline_stale_count(b), 0);
}

static void one_more_of_a_kind_is_new(void **state)
{
    struct report_fixture *f = *state;
    add_in(f, "a.c", 5, "g", "fsync");
    add_in(f, "a.c", 8, "g", "fsync");
    strview text = written(f);
    assert_non_null(strstr(text.at, "\"count\": 2}"));
    add_in(f, "a.c", 9, "g", "fsync");
    baseline *b = baseline_parse(f->mem, "base.json", text, f->sink);
    assert_int_equal(baseline_apply(b, &f->list), 2);
    assert_int_equal(f->list.all.count, 1);
    assert_int_equal(f->list.all.at[0]->place.line, 9);
}

static void mended_ones_are_counted(void **state)
{
    struct report_fixture *f = *state;
    add_in(f, "a.c", 5, "g", "fsync");
    add_in(f, "a.c", 8, "h", "fsync");
    baseline *b = baseline_parse(f->mem, "base.json", written(f), f->sink);
    f->list.all.count = 1;
    assert_int_equal(baseline_apply(b, &f->list), 1);
    assert_int_equal(baseline_stale_count(b), 1);
}

static void the_file_is_sorted_one_line_an_entry(void **state)
{
    struct report_fixture *f = *state;
    add_in(f, "/proj/b.c", 5, "g", "fs\"ync");
    add_in(f, "./a.c", 7, NULL, NULL);
    const char *first = finding_fingerprint(f->mem, f->list.all.at[1]);
    const char *second = finding_fingerprint(f->mem, f->list.all.at[0]);
    assert_string_equal(
        written(f).at,
        arena_printf(f->mem,
                     "{\"version\": 1, \"findings\": [\n"
                     "{\"file\": \"a.c\", \"rule\": \"awaitc-blocking-call\", \"function\": \"\", "
                     "\"leaf\": \"\", \"fingerprint\": \"%s\", \"count\": 1},\n"
                     "{\"file\": \"b.c\", \"rule\": \"awaitc-blocking-call\", \"function\": \"g\", "
                     "\"leaf\": \"fs\\\"ync\", \"fingerprint\": \"%s\", \"count\": 1}\n]}\n",
                     first, second));
}

static void without_findings_it_is_empty_and_knows_nothing(void **state)
{
    struct report_fixture *f = *state;
    strview text = written(f);
    assert_string_equal(text.at, "{\"version\": 1, \"findings\": [\n]}\n");
    baseline *b = baseline_parse(f->mem, "base.json", text, f->sink);
    add_in(f, "a.c", 1, "g", NULL);
    assert_int_equal(baseline_apply(b, &f->list), 0);
}

static void broken_files_are_refused_with_the_reason(void **state)
{
    struct report_fixture *f = *state;
    static const char *const cases[][2] = {
        {"", "base.json:1: error: this is no baseline: "},
        {"{\"version\": 1,\n \"findings\": [}", "base.json:2: error: this is no baseline: "},
        {"[]", "'version' and 'findings' are missing"},
        {"{\"version\": 2, \"findings\": []}", "its version is not 1"},
        {"{\"version\": 1, \"findings\": {}}", "are missing"},
        {"{\"version\": 1, \"findings\": [{\"fingerprint\": \"x\", \"count\": 1}, {}]}",
         "entry 2 has no 'fingerprint'"},
        {"{\"version\": 1, \"findings\": [{\"fingerprint\": \"x\", \"count\": 0}]}", "entry 1"},
        {"{\"version\": 1, \"findings\": [3]}", "entry 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        f->sink = diag_sink_new(f->mem);
        assert_null(parse(f, cases[i][0]));
        assert_contains(errors_of(f), cases[i][1]);
        assert_contains(errors_of(f), "[awaitc-input]");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REPORT_CASE(what_was_written_is_known_when_lines_move),
        REPORT_CASE(one_more_of_a_kind_is_new),
        REPORT_CASE(mended_ones_are_counted),
        REPORT_CASE(the_file_is_sorted_one_line_an_entry),
        REPORT_CASE(without_findings_it_is_empty_and_knows_nothing),
        REPORT_CASE(broken_files_are_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
