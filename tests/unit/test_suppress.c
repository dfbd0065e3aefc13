/* SPDX-License-Identifier: MIT */
/* Which findings do NOLINT comments silence, and which comments are reported? */
#include "tests/unit/report_fixture.h"

#include "analyzer/report/suppress.h"

static const char call[] = "awaitc-blocking-call";
static const char loop[] = "awaitc-nested-loop";

static suppressions *of(struct report_fixture *f, const char *text)
{
    suppressions *s = suppress_new(f->mem);
    suppress_collect(s, "a.c", sv_from(text));
    return s;
}

static bool silent(suppressions *s, uint32_t line, const char *rule)
{
    return suppress_matches(s, "a.c", line, rule);
}

/* What is reported, as "line:column message" lines; all checks but stale-across-await ran. */
static const char *unused(struct report_fixture *f, suppressions *s, bool bare)
{
    static const char *const known[] = {"awaitc-blocking-call", "awaitc-nested-loop",
                                        "awaitc-stale-across-await", "awaitc-unused-suppression"};
    static const bool ran[] = {true, true, false, true};
    finding_list list = {.mem = f->mem};
    suppress_report_unused(s, &(struct suppress_checks){known, ran, 4, bare, NULL, NULL}, &list);
    strbuf text = strbuf_in(f->mem);
    for (size_t i = 0; i < list.all.count; i++) {
        assert_string_equal(list.all.at[i]->rule, "awaitc-unused-suppression");
        strbuf_fmt(&text, "%u:%u %s\n", list.all.at[i]->place.line, list.all.at[i]->place.column,
                   list.all.at[i]->message);
    }
    return strbuf_text(&text);
}

static void a_bare_one_silences_its_line_only(void **state)
{
    suppressions *s = of(*state, "a();\nb(); // NOLINT: reason\nc();\n");
    assert_false(silent(s, 1, call));
    assert_true(silent(s, 2, call));
    assert_false(silent(s, 3, call));
    assert_false(suppress_matches(s, "b.c", 2, call));
}

static void a_list_silences_what_it_names(void **state)
{
    suppressions *s = of(*state, "a(); // NOLINT(awaitc-blocking-call, cert-err33-c): reason\n"
                                 "b(); // NOLINT(awaitc-*,-awaitc-nested-loop)\n"
                                 "c(); // NOLINT()\n"
                                 "d(); // NOLINT(blocking-call)\n");
    assert_true(silent(s, 1, call));
    assert_false(silent(s, 1, loop));
    assert_true(silent(s, 2, call));
    assert_false(silent(s, 2, loop));
    assert_false(silent(s, 3, call));
    assert_false(silent(s, 4, call));
}

static void the_next_line(void **state)
{
    suppressions *s = of(*state, "// NOLINTNEXTLINE(awaitc-blocking-call)\r\na();\r\nb();\r\n");
    assert_false(silent(s, 1, call));
    assert_true(silent(s, 2, call));
    assert_false(silent(s, 3, call));
}

static void blocks_nest_and_need_the_same_list(void **state)
{
    suppressions *s = of(*state, "// NOLINTBEGIN(awaitc-*)\n"           /* 1 */
                                 "a();\n"                               /* 2 */
                                 "/* NOLINTBEGIN */\n"                  /* 3 */
                                 "b();\n"                               /* 4 */
                                 "/* NOLINTEND */\n"                    /* 5 */
                                 "// NOLINTEND(awaitc-*)\n"             /* 6 */
                                 "c();\n"                               /* 7 */
                                 "// NOLINTBEGIN(awaitc-nested-loop)\n" /* 8 */
                                 "d();\n"                               /* 9 */
                                 "// NOLINTEND(awaitc-*)\n");           /* 10 */
    assert_true(silent(s, 2, call));
    assert_true(silent(s, 4, "other-check"));
    assert_false(silent(s, 2, "other-check"));
    assert_false(silent(s, 7, call));
    assert_false(silent(s, 9, loop));
    const char *text = unused(*state, s, false);
    assert_contains(text, "8:4 no NOLINTEND with the same list follows");
    assert_contains(text, "10:4 no NOLINTBEGIN with the same list is open");
}

static void only_comments_count(void **state)
{
    suppressions *s = of(*state, "a(\"// NOLINT\");\n"
                                 "b('\"'); // NOLINT\n"
                                 "int NOLINT;\n"
                                 "c(\"\\\"// NOLINT\"); // NOLINTS MY_NOLINTX\n"
                                 "// continued \\\n NOLINT\n"
                                 "/* in\n * NOLINT\n */\n"
                                 "\"open\n d(); // NOLINT\n");
    assert_false(silent(s, 1, call));
    assert_true(silent(s, 2, call));
    assert_false(silent(s, 3, call));
    assert_false(silent(s, 4, call));
    assert_true(silent(s, 6, call));
    assert_false(silent(s, 7, call));
    assert_true(silent(s, 8, call));
    assert_true(silent(s, 11, call));
}

static void an_unused_id_is_reported_by_itself(void **state)
{
    suppressions *s = of(*state, "a(); // NOLINT(awaitc-blocking-call, awaitc-nested-loop)\n");
    assert_true(silent(s, 1, call));
    assert_string_equal(unused(*state, s, false),
                        "1:9 NOLINT of 'awaitc-nested-loop' silences nothing: remove it\n");
}

static void other_tools_and_checks_that_did_not_run_are_left_alone(void **state)
{
    suppressions *s = of(*state, "a(); // NOLINT(cert-err33-c)\n"
                                 "b(); // NOLINT(*)\n"
                                 "c(); // NOLINT(awaitc-stale-across-await)\n"
                                 "d(); // NOLINT\n");
    assert_string_equal(unused(*state, s, false), "");
    assert_string_equal(unused(*state, s, true), "4:9 NOLINT silences nothing: remove it\n");
}

static void unknown_ids_are_named_with_the_nearest(void **state)
{
    suppressions *s = of(*state, "a(); // NOLINT(awaitc-bloking-call)\n");
    assert_string_equal(
        unused(*state, s, false),
        "1:9 'awaitc-bloking-call' names no check; did you mean 'awaitc-blocking-call'?\n");
}

static void a_report_can_be_silenced_by_its_full_name(void **state)
{
    suppressions *s = of(*state, "a(); // NOLINT(awaitc-nested-loop,awaitc-unused-suppression)\n"
                                 "b(); // NOLINT(awaitc-*)\n");
    assert_string_equal(unused(*state, s, false), "2:9 NOLINT of 'awaitc-*' silences nothing: "
                                                  "remove it\n");
}

static void applying_takes_findings_off_the_list(void **state)
{
    struct report_fixture *f = *state;
    suppressions *s = of(f, "a(); // NOLINT\n");
    add(f, "a.c", 1, 1, "silenced");
    add(f, "a.c", 2, 1, "kept");
    add(f, NULL, 0, 0, "kept");
    assert_int_equal(suppress_apply(s, &f->list), 1);
    assert_int_equal(f->list.all.count, 2);
    assert_string_equal(f->list.all.at[0]->message, "kept");
}

static void written_ones_are_read_back(void **state)
{
    struct report_fixture *f = *state;
    suppressions *s = of(f, "a(); // NOLINT\nb(); // NOLINT( awaitc-x ,\t-cert-* )\n"
                            "// NOLINTNEXTLINE()\n// NOLINTBEGIN\nc();\n// NOLINTEND\n");
    strbuf out = strbuf_in(f->mem), again = strbuf_in(f->mem);
    suppress_write(s, "a.c", &out);
    suppress_write(s, "none.c", &out);
    assert_string_equal(strbuf_text(&out), "nolint\t1\t9\tline\n"
                                           "nolint\t2\t9\tline\tawaitc-x,-cert-*\n"
                                           "nolint\t3\t4\tnext\t\n"
                                           "nolint\t4\t4\tbegin\n"
                                           "nolint\t6\t4\tend\n");
    suppressions *read = suppress_new(f->mem);
    for (int twice = 0; twice < 2; twice++) {
        const char *line = strbuf_text(&out);
        for (; *line != '\0'; line += strcspn(line, "\n") + 1)
            assert_true(suppress_read_line(read, "a.c", (strview){line, strcspn(line, "\n")}));
    }
    suppress_write(read, "a.c", &again);
    assert_string_equal(strbuf_text(&again), strbuf_text(&out));
    assert_true(silent(read, 5, call));
    assert_false(silent(read, 7, call));
}

static void broken_lines_are_refused(void **state)
{
    struct report_fixture *f = *state;
    static const char *const bad[] = {"",
                                      "nolint",
                                      "nolint\t1\t1",
                                      "nolint\t0\t1\tline",
                                      "nolint\tx\t1\tline",
                                      "nolint\t1\t99999999999\tline",
                                      "nolint\t1\t1\tlines",
                                      "nolint\t1\t1\tline\ta\tb",
                                      "other\t1\t1\tline"};
    suppressions *s = suppress_new(f->mem);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(suppress_read_line(s, "a.c", sv_from(bad[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REPORT_CASE(a_bare_one_silences_its_line_only),
        REPORT_CASE(a_list_silences_what_it_names),
        REPORT_CASE(the_next_line),
        REPORT_CASE(blocks_nest_and_need_the_same_list),
        REPORT_CASE(only_comments_count),
        REPORT_CASE(an_unused_id_is_reported_by_itself),
        REPORT_CASE(other_tools_and_checks_that_did_not_run_are_left_alone),
        REPORT_CASE(unknown_ids_are_named_with_the_nearest),
        REPORT_CASE(a_report_can_be_silenced_by_its_full_name),
        REPORT_CASE(applying_takes_findings_off_the_list),
        REPORT_CASE(written_ones_are_read_back),
        REPORT_CASE(broken_lines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
