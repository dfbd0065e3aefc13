/* SPDX-License-Identifier: MIT */
/* In which order do findings come, which are the same, and what does a fingerprint depend on? */
#include "tests/unit/report_fixture.h"

static void findings_are_sorted_by_file_line_column_and_rule(void **state)
{
    struct report_fixture *f = *state;
    add(f, "b.c", 1, 1, "5");
    add(f, "a.c", 10, 1, "4");
    add(f, "a.c", 9, 20, "3");
    add(f, "a.c", 9, 3, "2");
    add(f, "a.c", 9, 3, "1")->rule = "awaitc-await-in-loop";
    finding_list_sort(&f->list);
    assert_int_equal(f->list.all.count, 5);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(f->list.all.at[i]->message[0], '1' + (int)i);
}

static void repetitions_go_and_the_one_with_a_fix_stays(void **state)
{
    struct report_fixture *f = *state;
    add(f, "a.c", 1, 1, "same");
    struct finding *mended = add(f, "a.c", 1, 1, "same");
    add_fix(f, mended, (struct finding_edit){"a.c", 0, 1, "x"}, "do it");
    struct finding *other = add(f, "a.c", 1, 1, "same");
    add_step(f, other, (struct diag_place){"b.c", 2, 2}, "g", "calls 'h'");
    finding_list_sort(&f->list);
    assert_int_equal(f->list.all.count, 2);
    assert_ptr_equal(f->list.all.at[0], mended);
    assert_ptr_equal(f->list.all.at[1], other);
}

static void an_empty_list_sorts(void **state)
{
    struct report_fixture *f = *state;
    finding_list_sort(&f->list);
    assert_int_equal(f->list.all.count, 0);
}

static struct finding *chain(struct report_fixture *f, uint32_t line, const char *through)
{
    struct finding *x = add(f, "src/a.c", line, 5, "text");
    x->function = "serve";
    x->leaf = "fsync";
    add_step(f, x, (struct diag_place){"b.c", line + 7, 1}, through, "calls");
    return x;
}

static void a_fingerprint_does_not_see_lines_but_sees_the_chain(void **state)
{
    struct report_fixture *f = *state;
    struct finding *one = chain(f, 10, "flush");
    struct finding *moved = chain(f, 99, "flush");
    moved->message = "text with another line number";
    const char *print = finding_fingerprint(f->mem, one);
    assert_int_equal(strlen(print), 16);
    assert_string_equal(print, finding_fingerprint(f->mem, moved));
    assert_string_not_equal(print, finding_fingerprint(f->mem, chain(f, 10, "sync")));
    moved->leaf = "fdatasync";
    assert_string_not_equal(print, finding_fingerprint(f->mem, moved));
    moved->leaf = "fsync";
    moved->function = "accept_one";
    assert_string_not_equal(print, finding_fingerprint(f->mem, moved));
    moved->function = "serve";
    moved->rule = "awaitc-nested-loop";
    assert_string_not_equal(print, finding_fingerprint(f->mem, moved));
}

static void outside_functions_the_file_counts_without_its_folder(void **state)
{
    struct report_fixture *f = *state;
    const char *print = finding_fingerprint(f->mem, add(f, "src/a.c", 1, 1, "m"));
    assert_string_equal(print, finding_fingerprint(f->mem, add(f, "lib/a.c", 5, 1, "m")));
    assert_string_not_equal(print, finding_fingerprint(f->mem, add(f, "src/b.c", 1, 1, "m")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REPORT_CASE(findings_are_sorted_by_file_line_column_and_rule),
        REPORT_CASE(repetitions_go_and_the_one_with_a_fix_stays),
        REPORT_CASE(an_empty_list_sorts),
        REPORT_CASE(a_fingerprint_does_not_see_lines_but_sees_the_chain),
        REPORT_CASE(outside_functions_the_file_counts_without_its_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
