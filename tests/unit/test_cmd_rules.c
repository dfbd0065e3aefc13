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

/* Runs a command, keeps its output. */
static int run_with(int (*command)(int, char **), int argc, char **argv)
{
    FILE *to_out = tmpfile(), *to_err = tmpfile();
    assert_non_null(to_out);
    assert_non_null(to_err);
    int saved_out = divert(stdout, to_out), saved_err = divert(stderr, to_err);
    int status = command(argc, argv);
    restore(stdout, saved_out, to_out, out, sizeof out);
    restore(stderr, saved_err, to_err, err, sizeof err);
    return status;
}

/* Runs a command with one argument (or none). */
static int run(int (*command)(int, char **), const char *name, const char *argument)
{
    char name_copy[16], argument_copy[128];
    snprintf(name_copy, sizeof name_copy, "%s", name);
    snprintf(argument_copy, sizeof argument_copy, "%s", argument == NULL ? "" : argument);
    char *argv[] = {name_copy, argument == NULL ? NULL : argument_copy, NULL};
    return run_with(command, argument == NULL ? 1 : 2, argv);
}

static const char *const checks[] = {
#define RULE(name, id, severity, state, summary)       id,
#define OTHER_RULE(name, id, severity, state, summary) id,
#include "rules/rules.def"
#undef RULE
#undef OTHER_RULE
};

/* How many lines of the output begin with this id. */
static size_t lines_of(const char *id)
{
    size_t found = 0, len = strlen(id);
    for (const char *line = out; *line != '\0'; line = strchr(line, '\n') + 1)
        found += strncmp(line, id, len) == 0 && line[len] == ' ';
    return found;
}

static void rules_lists_every_message_and_check_once(void **state)
{
    (void)state;
    assert_int_equal(run(cmd_rules, "rules", NULL), 0);
    for (enum diag_id id = 0; id < DIAG_ID_COUNT; id++)
        assert_int_equal(lines_of(diag_id_text(id)), 1);
    for (size_t i = 0; i < COUNTOF(checks); i++)
        assert_int_equal(lines_of(checks[i]), 1);
    assert_non_null(strstr(out, " (off by default)\n"));
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

static void explain_has_a_page_for_every_check(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNTOF(checks); i++) {
        assert_int_equal(run(cmd_explain, "explain", checks[i]), 0);
        assert_non_null(strstr(out, "\n## What it does not report\n"));
        assert_non_null(strstr(out, "\n## How to silence\n"));
    }
}

static void an_id_that_is_both_has_one_title(void **state)
{
    (void)state;
    assert_int_equal(run(cmd_explain, "explain", "missing-await"), 0);
    assert_memory_equal(out, "# awaitc-missing-await\n", strlen("# awaitc-missing-await\n"));
    assert_null(strstr(out, "\n# awaitc-missing-await\n"));
    assert_non_null(strstr(out, "\n## Why it is an error\n"));
    assert_non_null(strstr(out, "\n\n## As a check of the linter\n\n"));
}

/* `awaitc rules --facts` with up to two words. */
static int facts(const char *first, const char *second)
{
    char texts[4][32] = {"rules", "--facts", "", ""};
    snprintf(texts[2], sizeof texts[2], "%s", first);
    snprintf(texts[3], sizeof texts[3], "%s", second == NULL ? "" : second);
    char *argv[] = {texts[0], texts[1], texts[2], second == NULL ? NULL : texts[3], NULL};
    return run_with(cmd_rules, second == NULL ? 3 : 4, argv);
}

static void facts_are_found_by_all_words_in_any_case(void **state)
{
    (void)state;
    assert_int_equal(facts("FLOCK", NULL), 0);
    assert_non_null(strstr(out, "flock (sys/file.h, libc): waits for a lock; waits by design\n"));
    assert_non_null(strstr(out, "    quick when   operation contains LOCK_NB or is LOCK_UN\n"));
    assert_int_equal(facts("libpq", "dns"), 0);
    assert_non_null(strstr(out, "PQconnectStart (libpq-fe.h, libpq)"));
    assert_null(strstr(out, "PQflush"));
    assert_int_equal(facts("uv_queue_work", NULL), 0);
    assert_non_null(strstr(out, "uv_queue_work (libuv): argument 2 runs on a pool"));
    assert_non_null(strstr(out, "uv_queue_work (libuv): argument 3 runs on the event loop"));
}

static void no_fact_is_said_to_be_none(void **state)
{
    (void)state;
    assert_int_equal(facts("no-such-function", NULL), 0);
    assert_string_equal(out, "");
    assert_non_null(strstr(err, "no fact has all these words"));
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
        cmocka_unit_test(rules_lists_every_message_and_check_once),
        cmocka_unit_test(explain_has_a_page_for_every_message),
        cmocka_unit_test(explain_has_a_page_for_every_check),
        cmocka_unit_test(an_id_that_is_both_has_one_title),
        cmocka_unit_test(facts_are_found_by_all_words_in_any_case),
        cmocka_unit_test(no_fact_is_said_to_be_none),
        cmocka_unit_test(explain_takes_an_id_without_prefix),
        cmocka_unit_test(a_slip_is_answered_with_the_nearest_rule),
        cmocka_unit_test(what_resembles_nothing_gets_no_proposal),
        cmocka_unit_test(wrong_use_is_status_2),
    };
    return cmocka_run_group_tests_name("cmd_rules", cases, NULL, NULL);
}
