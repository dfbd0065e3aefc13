/* SPDX-License-Identifier: MIT */
/* Which checks do lists of globs switch on and off, as clang-tidy's users expect? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyzer/config/checks_filter.h"
#include "analyzer/report/glob_list.h"

static bool on(const char *config, const char *option, const char *rule, bool by_default)
{
    return checks_filter_enables(&(struct checks_filter){config, option}, rule, by_default);
}

static bool glob(const char *pattern, const char *name)
{
    return glob_matches(sv_from(pattern), sv_from(name));
}

static void globs_match_whole_names(void **state)
{
    (void)state;
    assert_true(glob("awaitc-x", "awaitc-x"));
    assert_false(glob("awaitc-x", "awaitc-xy"));
    assert_false(glob("awaitc-x", "my-awaitc-x"));
    assert_true(glob("*", ""));
    assert_true(glob("awaitc-*-across-*", "awaitc-errno-across-await"));
    assert_true(glob("*a*b*c", "xxaabbabcc"));
    assert_false(glob("*a*b*c", "xxaabbabcd"));
    assert_false(glob("", "x"));
    assert_false(glob("a.c", "abc"));
}

static void without_a_list_the_default_decides(void **state)
{
    (void)state;
    assert_true(on(NULL, NULL, "awaitc-blocking-call", true));
    assert_false(on(NULL, NULL, "awaitc-stale-across-await", false));
    assert_true(on("", "", "awaitc-blocking-call", true));
}

static void the_last_item_that_matches_decides(void **state)
{
    (void)state;
    const char *only = "-*,awaitc-blocking-call";
    assert_true(on(NULL, only, "awaitc-blocking-call", true));
    assert_false(on(NULL, only, "awaitc-nested-loop", true));
    const char *none = "awaitc-blocking-call,-*";
    assert_false(on(NULL, none, "awaitc-blocking-call", true));
    assert_true(on(NULL, "awaitc-stale-across-await", "awaitc-stale-across-await", false));
    assert_true(on(NULL, "awaitc-stale-across-await", "awaitc-nested-loop", true));
}

static void the_option_comes_after_the_configuration(void **state)
{
    (void)state;
    const char *config = "awaitc-*,-awaitc-large-frame";
    assert_false(on(config, NULL, "awaitc-large-frame", true));
    assert_true(on(config, "awaitc-large-frame", "awaitc-large-frame", true));
    assert_true(on(config, "-awaitc-nested-loop", "awaitc-blocking-call", false));
    assert_false(on("-*", "awaitc-nested-loop", "awaitc-blocking-call", true));
}

static void blanks_lines_and_empty_items_do_not_count(void **state)
{
    (void)state;
    assert_false(on(" -* ,\n  awaitc-a , ,", NULL, "awaitc-b", true));
    assert_true(on(" -* ,\n  awaitc-a , ,", NULL, "awaitc-a", false));
    assert_false(on("- awaitc-a", NULL, "awaitc-a", true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(globs_match_whole_names),
        cmocka_unit_test(without_a_list_the_default_decides),
        cmocka_unit_test(the_last_item_that_matches_decides),
        cmocka_unit_test(the_option_comes_after_the_configuration),
        cmocka_unit_test(blanks_lines_and_empty_items_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
