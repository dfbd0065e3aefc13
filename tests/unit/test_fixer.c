/* SPDX-License-Identifier: MIT */
/* Which fixes are taken, what do the files look like then, and does `patch` read the diff? */
#include "tests/unit/report_fixture.h"

#include <errno.h>

#include "analyzer/report/fixer.h"
#include "analyzer/tool/process.h"

static void add_edit(struct report_fixture *f, const char *file, uint32_t begin, uint32_t end,
                     const char *text)
{
    add_fix(f, add(f, file, 1, 1, "m"), (struct finding_edit){file, begin, end, text}, "t");
}

static struct fix_plan *plan_of(struct report_fixture *f)
{
    return fix_plan_new(f->mem, &f->list, f->sources);
}

static const char *diff_of(struct report_fixture *f, const struct fix_plan *plan)
{
    struct render_context cx = {.mem = f->mem, .sources = f->sources};
    struct printed p;
    print_start(&p);
    fix_plan_print_diff(plan, &cx, p.to);
    return print_end(&p, f->mem);
}

static strview text_of(struct report_fixture *f, const char *file)
{
    strview text;
    assert_true(source_cache_text(source_cache_new(f->mem), file, &text));
    return text;
}

static void edits_are_applied_from_first_to_last_byte(void **state)
{
    struct report_fixture *f = *state;
    write_text("a.c", "one two three\n");
    add_edit(f, "a.c", 8, 13, "3");
    add_edit(f, "a.c", 0, 3, "1");
    add_edit(f, "a.c", 14, 14, "end\n");
    add_edit(f, "a.c", 4, 4, "and ");
    struct fix_plan *plan = plan_of(f);
    assert_int_equal(plan->applied, 4);
    assert_true(sv_is(plan->files.at[0].after, "1 and two 3\nend\n"));
    assert_int_equal(fix_plan_apply(plan, f->mem, process_write_file, f->sink), 1);
    assert_true(sv_is(text_of(f, "a.c"), "1 and two 3\nend\n"));
}

static void overlapping_fixes_wait_for_the_next_run(void **state)
{
    struct report_fixture *f = *state;
    write_text("a.c", "abcdefgh\n");
    add_edit(f, "a.c", 2, 5, "X");
    add_edit(f, "a.c", 4, 6, "Y");  /* overlaps */
    add_edit(f, "a.c", 3, 3, "Z");  /* inside */
    add_edit(f, "a.c", 2, 2, "<");  /* in front */
    add_edit(f, "a.c", 5, 5, ">");  /* behind */
    add_edit(f, "a.c", 5, 5, "))"); /* which of the two would be first? */
    struct fix_plan *plan = plan_of(f);
    assert_int_equal(plan->applied, 3);
    assert_int_equal(plan->skipped.count, 3);
    assert_ptr_equal(plan->skipped.at[0].finding, f->list.all.at[1]);
    assert_contains(plan->skipped.at[0].reason, "overlaps another fix");
    assert_true(sv_is(plan->files.at[0].after, "ab<X>fgh\n"));
}

static void the_same_edit_of_two_fixes_counts_once(void **state)
{
    struct report_fixture *f = *state;
    write_text("a.c", "a\nb\n");
    for (uint32_t i = 0; i < 2; i++) {
        struct finding *x = add(f, "a.c", i + 1, 1, "m");
        struct finding_fix fix = {.title = "t"};
        VEC_PUSH(f->mem, &fix.edits, (struct finding_edit){"a.c", 0, 0, "#include <awaitc.h>\n"});
        VEC_PUSH(f->mem, &fix.edits, (struct finding_edit){"a.c", 2 * i, 2 * i + 1, "x"});
        VEC_PUSH(f->mem, &x->fixes, fix);
    }
    struct fix_plan *plan = plan_of(f);
    assert_int_equal(plan->applied, 2);
    assert_true(sv_is(plan->files.at[0].after, "#include <awaitc.h>\nx\nx\n"));
}

static void a_fix_is_taken_whole_or_not_at_all(void **state)
{
    struct report_fixture *f = *state;
    write_text("a.c", "aaaa\n");
    write_text("b.c", "bbbb\n");
    add_edit(f, "b.c", 0, 2, "x");
    struct finding *x = add(f, "a.c", 1, 1, "m");
    add_fix(f, x, (struct finding_edit){"a.c", 0, 1, "y"}, "t");
    VEC_PUSH(f->mem, &x->fixes.at[0].edits, (struct finding_edit){"b.c", 1, 3, "y"});
    struct fix_plan *plan = plan_of(f);
    assert_int_equal(plan->files.count, 1);
    assert_string_equal(plan->files.at[0].path, "b.c");
    assert_int_equal(plan->skipped.count, 1);
}

static void fixes_that_cannot_be_are_skipped_with_the_reason(void **state)
{
    struct report_fixture *f = *state;
    write_text("a.c", "aaaa\n");
    add_edit(f, "a.c", 3, 99, "x");
    add_edit(f, "none.c", 0, 0, "x");
    struct finding *x = add(f, "a.c", 1, 1, "m");
    add_fix(f, x, (struct finding_edit){"a.c", 0, 3, "y"}, "t");
    VEC_PUSH(f->mem, &x->fixes.at[0].edits, (struct finding_edit){"a.c", 1, 2, "y"});
    struct fix_plan *plan = plan_of(f);
    assert_int_equal(plan->applied, 0);
    assert_int_equal(plan->files.count, 0);
    assert_string_equal(plan->skipped.at[0].reason, "it does not fit the file");
    assert_string_equal(plan->skipped.at[1].reason, "its file cannot be read");
    assert_string_equal(plan->skipped.at[2].reason, "its own edits overlap");
    assert_string_equal(diff_of(f, plan), "");
}

static void a_file_with_two_names_is_one_file(void **state)
{
    struct report_fixture *f = *state;
    write_text("a.c", "ab\n");
    add_edit(f, "a.c", 0, 1, "x");
    add_edit(f, "./a.c", 1, 2, "y");
    struct fix_plan *plan = plan_of(f);
    assert_int_equal(plan->files.count, 1);
    assert_true(sv_is(plan->files.at[0].after, "xy\n"));
}

static void crlf_and_mode_are_kept(void **state)
{
    struct report_fixture *f = *state;
    write_text("a.c", "one\r\ntwo\r\n");
    assert_int_equal(chmod("a.c", 0750), 0);
    add_edit(f, "a.c", 5, 5, "x\ny\r\n");
    fix_plan_apply(plan_of(f), f->mem, process_write_file, f->sink);
    assert_true(sv_is(text_of(f, "a.c"), "one\r\nx\r\ny\r\ntwo\r\n"));
    struct stat st;
    assert_int_equal(stat("a.c", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0750);
}

static void a_file_that_changed_meanwhile_is_left_alone(void **state)
{
    struct report_fixture *f = *state;
    write_text("a.c", "one\n");
    add_edit(f, "a.c", 0, 0, "x");
    struct fix_plan *plan = plan_of(f);
    write_text("a.c", "ONE\n");
    assert_int_equal(fix_plan_apply(plan, f->mem, process_write_file, f->sink), 0);
    assert_true(sv_is(text_of(f, "a.c"), "ONE\n"));
    assert_contains(errors_of(f), "a.c: error: the file has changed since it was checked");
}

static bool failing_writer(arena *mem, const char *path, strview text)
{
    (void)mem, (void)path, (void)text;
    errno = EROFS;
    return false;
}

static void a_file_that_cannot_be_written_is_named(void **state)
{
    struct report_fixture *f = *state;
    write_text("a.c", "one\n");
    add_edit(f, "a.c", 0, 0, "x");
    assert_int_equal(fix_plan_apply(plan_of(f), f->mem, failing_writer, f->sink), 0);
    assert_contains(errors_of(f), "a.c: error: the fixed file cannot be written: Read-only");
}

static void near_changes_share_a_hunk_and_far_ones_do_not(void **state)
{
    struct report_fixture *f = *state;
    write_text("a.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n");
    add_edit(f, "a.c", 2, 3, "two");
    add_edit(f, "a.c", 8, 8, "new\n");
    add_edit(f, "a.c", 33, 36, "");
    assert_string_equal(diff_of(f, plan_of(f)), "--- a/a.c\n+++ b/a.c\n"
                                                "@@ -1,7 +1,8 @@\n 1\n-2\n+two\n 3\n 4\n+new\n"
                                                " 5\n 6\n 7\n"
                                                "@@ -12,6 +13,5 @@\n 12\n 13\n 14\n-15\n 16\n"
                                                " 17\n");
}

static void a_last_line_without_an_end(void **state)
{
    struct report_fixture *f = *state;
    write_text("a.c", "a\nb");
    add_edit(f, "a.c", 2, 3, "c\n");
    write_text("e.c", "");
    add_edit(f, "e.c", 0, 0, "x");
    assert_string_equal(diff_of(f, plan_of(f)), "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n a\n-b\n"
                                                "\\ No newline at end of file\n+c\n"
                                                "--- a/e.c\n+++ b/e.c\n@@ -0,0 +1,1 @@\n+x\n"
                                                "\\ No newline at end of file\n");
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Lines of a few letters with all kinds of ends; edits of a few bytes, with line ends in them. */
static void random_file(struct report_fixture *f, uint32_t *seed)
{
    char text[400];
    size_t len = next_random(seed) % sizeof text;
    const char *newline = next_random(seed) % 2 ? "ab\n" : "abcdefghij \n";
    for (size_t i = 0; i < len; i++)
        text[i] = newline[next_random(seed) % strlen(newline)];
    write_bytes("a b.c", text, len);
    for (int i = 0; i < 6; i++) {
        static const char *const texts[] = {"", "x", "\n", "y\nz", "long text\n", "\n\n"};
        uint32_t begin = next_random(seed) % (uint32_t)(len + 1);
        uint32_t end = begin + next_random(seed) % 9;
        add_edit(f, "a b.c", begin, end < len ? end : (uint32_t)len, texts[next_random(seed) % 6]);
    }
}

static void patch_makes_of_the_diff_what_the_fixer_makes(void **state)
{
    struct report_fixture *f = *state;
    uint32_t seed = 7;
    if (system("command -v patch >patch.log 2>&1") != 0)
        skip();
    for (int round = 0; round < 60; round++) {
        f->list.all.count = 0;
        f->sources = source_cache_new(f->mem);
        random_file(f, &seed);
        struct fix_plan *plan = plan_of(f);
        if (plan->files.count == 0)
            continue;
        const char *diff = diff_of(f, plan);
        write_text("x.diff", diff);
        if (system("patch --binary -p1 -s <x.diff") != 0)
            fail_msg("patch refuses:\n%s", diff);
        if (!sv_equal(text_of(f, "a b.c"), plan->files.at[0].after))
            fail_msg("patch makes something else:\n%s", diff);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REPORT_CASE(edits_are_applied_from_first_to_last_byte),
        REPORT_CASE(overlapping_fixes_wait_for_the_next_run),
        REPORT_CASE(the_same_edit_of_two_fixes_counts_once),
        REPORT_CASE(a_fix_is_taken_whole_or_not_at_all),
        REPORT_CASE(fixes_that_cannot_be_are_skipped_with_the_reason),
        REPORT_CASE(a_file_with_two_names_is_one_file),
        REPORT_CASE(crlf_and_mode_are_kept),
        REPORT_CASE(a_file_that_changed_meanwhile_is_left_alone),
        REPORT_CASE(a_file_that_cannot_be_written_is_named),
        REPORT_CASE(near_changes_share_a_hunk_and_far_ones_do_not),
        REPORT_CASE(a_last_line_without_an_end),
        REPORT_CASE(patch_makes_of_the_diff_what_the_fixer_makes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
