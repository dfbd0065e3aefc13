/* SPDX-License-Identifier: MIT */
/* What do `awaitc rules` and `awaitc explain` print, and what is their exit status? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyzer/base/check.h"
#include "analyzer/diag/diag.h"
#include "analyzer/tool/cmd_rules.h"

/* What the last command printed, cut off where it is longer. */
static char out[64 * 1024];
static char err[4 * 1024];

static int divert(FILE *stream, FILE *to)
{
    fflush(stream);
    int saved = dup(fileno(stream));
    assert_true(saved >= 0);
    assert_true(dup2(fileno(to), fileno(stream)) >= 0);
    return saved;
}

static void restore(FILE *stream, int saved, FILE *from, char *text, size_t size)
{
    fflush(stream);
    dup2(saved, fileno(stream));
    close(saved);
    rewind(from);
    text[fread(text, 1, size - 1, from)] = '\0';
    fclose(from);
}

/* Runs a command with one argument (or none), keeps its output. */
static int run(int (*command)(int, char **), const char *name, const char *argument)
{
    char name_copy[16], argument_copy[128];
    snprintf(name_copy, sizeof name_copy, "%s", name);
    snprintf(argument_copy, sizeof argument_copy, "%s", argument == NULL ? "" : argument);
    char *argv[] = {name_copy, argument == NULL ? NULL : argument_copy, NULL};
    FILE *to_out = tmpfile(), *to_err = tmpfile();
    assert_non_null(to_out);
    assert_non_null(to_err);
    int saved_out = divert(stdout, to_out), saved_err = divert(stderr, to_err);
    int status = command(argument == NULL ? 1 : 2, argv);
    restore(stdout, saved_out, to_out, out, sizeof out);
    restore(stderr, saved_err, to_err, err, sizeof err);
    return status;
}

static void rules_lists_every_message_once(void **state)
{
    (void)state;
    assert_int_equal(run(cmd_rules, "rules", NULL), 0);
    size_t lines = 0;
    for (const char *at = out; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, DIAG_ID_COUNT);
    assert_non_null(strstr(out, "awaitc-missing-await "));
    assert_non_null(strstr(out, "  error    an async function is called without await\n"));
}

static void explain_has_a_page_for_every_message(void **state)
{
    (void)state;
    for (enum diag_id id = 0; id < DIAG_ID_COUNT; id++) {
        assert_int_equal(run(cmd_explain, "explain", diag_id_text(id)), 0);
        assert_memory_equal(out, "# ", 2);
        size_t len = strlen(diag_id_text(id));
        assert_memory_equal(out + 2, diag_id_text(id), len);
        assert_non_null(strstr(out, "\n## Bad\n"));
        assert_non_null(strstr(out, "\n## Good\n"));
        assert_string_equal(err, "");
    }
}

static void explain_takes_an_id_without_prefix(void **state)
{
    (void)state;
    assert_int_equal(run(cmd_explain, "explain", "defer"), 0);
    assert_memory_equal(out, "# awaitc-defer\n", strlen("# awaitc-defer\n"));
}

static void a_slip_is_answered_with_the_nearest_rule(void **state)
{
    (void)state;
    assert_int_equal(run(cmd_explain, "explain", "awaitc-mising-await"), 2);
    assert_non_null(strstr(err, "did you mean 'awaitc-missing-await'?"));
    assert_string_equal(out, "");
    assert_int_equal(run(cmd_explain, "explain", "setjump"), 2);
    assert_non_null(strstr(err, "did you mean 'awaitc-setjmp'?"));
}

static void what_resembles_nothing_gets_no_proposal(void **state)
{
    (void)state;
    static const char *const names[] = {
        "", "q", "completely-different-thing",
        "a-name-that-is-much-longer-than-the-longest-name-of-any-rule-that-there-could-be"};
    for (size_t i = 0; i < COUNTOF(names); i++) {
        assert_int_equal(run(cmd_explain, "explain", names[i]), 2);
        assert_null(strstr(err, "did you mean"));
    }
}

static void wrong_use_is_status_2(void **state)
{
    (void)state;
    assert_int_equal(run(cmd_explain, "explain", NULL), 2);
    assert_int_equal(run(cmd_rules, "rules", "extra"), 2);
    assert_int_equal(run(cmd_rules, "rules", "--help"), 0);
    assert_int_equal(run(cmd_explain, "explain", "--help"), 0);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(rules_lists_every_message_once),
        cmocka_unit_test(explain_has_a_page_for_every_message),
        cmocka_unit_test(explain_takes_an_id_without_prefix),
        cmocka_unit_test(a_slip_is_answered_with_the_nearest_rule),
        cmocka_unit_test(what_resembles_nothing_gets_no_proposal),
        cmocka_unit_test(wrong_use_is_status_2),
    };
    return cmocka_run_group_tests_name("cmd_rules", cases, NULL, NULL);
}
