/* SPDX-License-Identifier: MIT */
/* What does a configuration say, which errors does it give, and which file counts for a source? */
#include "tests/unit/report_fixture.h"

#include "analyzer/config/lint_config.h"

static lint_config *parse(struct report_fixture *f, const char *text)
{
    return lint_config_parse(f->mem, "sub/.awaitc.yaml", sv_from(text), f->sink);
}

static void all_keys(void **state)
{
    struct report_fixture *f = *state;
    const lint_config *c = parse(f, "Checks: 'awaitc-*,-awaitc-stale-across-await'\n"
                                    "FailOn: note  # comment\n"
                                    "Strict: yes\n"
                                    "AsyncAnnotations: [coroutine_fn, co]\n"
                                    "LoopCallbacks:\n"
                                    "  - {function: uv_read_start, argument: 2}\n"
                                    "  - {field: ngx_event_s.handler}\n"
                                    "WorkCallbacks:\n"
                                    "  - {function: uv_queue_work, argument: 0}\n"
                                    "Pairs:\n"
                                    "  - {acquire: pin, release: unpin}\n"
                                    "  - {acquire: get, release: put, fails: null}\n"
                                    "Facts: [facts/our.tsv, /abs/x.tsv]\n"
                                    "Rules:\n"
                                    "  - lint/\n"
                                    "Options:\n"
                                    "  awaitc-large-frame.limit: 4096\n");
    assert_string_equal(errors_of(f), "");
    assert_non_null(c);
    assert_non_null(strstr(c->checks, "-awaitc-stale-across-await"));
    assert_true(c->fail_on_given);
    assert_int_equal(c->fail_on, DIAG_NOTE);
    assert_true(c->strict);
    assert_int_equal(c->async_annotations.count, 2);
    assert_string_equal(c->async_annotations.at[1], "co");
    assert_int_equal(c->loop_callbacks.count, 2);
    assert_string_equal(c->loop_callbacks.at[0].function, "uv_read_start");
    assert_int_equal(c->loop_callbacks.at[0].argument, 2);
    assert_int_equal(c->loop_callbacks.at[0].place.line, 6);
    assert_string_equal(c->loop_callbacks.at[1].field_of, "ngx_event_s");
    assert_string_equal(c->loop_callbacks.at[1].field, "handler");
    assert_null(c->loop_callbacks.at[1].function);
    assert_string_equal(c->work_callbacks.at[0].function, "uv_queue_work");
    assert_int_equal(c->pairs.at[0].fails, PAIR_NEVER_FAILS);
    assert_int_equal(c->pairs.at[1].fails, PAIR_FAILS_NULL);
    assert_string_equal(c->facts.at[0].path, "sub/facts/our.tsv");
    assert_string_equal(c->facts.at[1].path, "/abs/x.tsv");
    assert_string_equal(c->rules.at[0].path, "sub/lint/");
    assert_int_equal(c->options[LINT_LARGE_FRAME_LIMIT], 4096);
}

static void nothing_said_is_the_default(void **state)
{
    struct report_fixture *f = *state;
    static const char *const empty[] = {"", "# nothing\n", "---\n", "~\n", "Facts:\nOptions:\n"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        const lint_config *c = parse(f, empty[i]);
        assert_non_null(c);
        assert_null(c->checks);
        assert_false(c->fail_on_given);
        assert_int_equal(c->fail_on, DIAG_WARNING);
        assert_int_equal(c->options[LINT_LARGE_FRAME_LIMIT], 16384);
    }
    assert_string_equal(errors_of(f), "");
}

static void checks_may_be_a_list(void **state)
{
    struct report_fixture *f = *state;
    const lint_config *c = parse(f, "Checks: ['-*', awaitc-nested-loop]\n");
    assert_string_equal(c->checks, "-*,awaitc-nested-loop,");
}

/* Each text has one error, which stands where and says what is given. */
static void errors_have_their_place_and_say_what_is_expected(void **state)
{
    struct report_fixture *f = *state;
    static const char *const cases[][2] = {
        {"Cheks: x\n", ":1:1: error: unknown key 'Cheks'; did you mean 'Checks'?"},
        {"Checks: x\nWhatever: y\n", ":2:1: error: unknown key 'Whatever' ["},
        {"FailOn: warnings\n", ":1:9: error: FailOn is note, warning or error, not 'warnings'"},
        {"Strict: 1\n", ":1:9: error: true or false is expected here"},
        {"Checks:\n", ":1:8: error: a check's id or a glob is expected here"},
        {"Facts: one.tsv\n", ":1:8: error: a list is expected here"},
        {"Facts: [[a]]\n", ":1:9: error: the name of a facts file is expected here"},
        {"Options:\n  awaitc-large-frames.limit: 1\n",
         ":2:3: error: unknown key 'awaitc-large-frames.limit'; did you mean "
         "'awaitc-large-frame.limit'?"},
        {"Options: {awaitc-large-frame.limit: -1}\n", ":1:37: error: '-1' is not a whole number"},
        {"Options: {awaitc-large-frame.limit: 4k}\n", ":1:37: error: '4k' is not a whole number"},
        {"Options: 5\n", ":1:10: error: keys with values are expected here"},
        {"LoopCallbacks: [{function: f}]\n", ":1:17: error: 'argument' is missing"},
        {"LoopCallbacks: [{argument: 1}]\n", ":1:17: error: a callback is a function and its"},
        {"LoopCallbacks: [{field: a.b, argument: 1}]\n", ":1:17: error: a callback is a function"},
        {"LoopCallbacks: [{field: ab}]\n", ":1:25: error: a field is written STRUCT.FIELD"},
        {"LoopCallbacks: [{function: f g, argument: 1}]\n", ":1:28: error: 'f g' is not a name"},
        {"LoopCallbacks: [{function: f, argument: 400}]\n", ":1:41: error: '400' is not a whole"},
        {"LoopCallbacks: [{fuction: f}]\n", "unknown key 'fuction'; did you mean 'function'?"},
        {"Pairs: [{acquire: a}]\n", ":1:9: error: a pair needs 'acquire' and 'release'"},
        {"Pairs: [{acquire: a, release: b, fails: x}]\n", ":1:41: error: 'fails' is nonzero"},
        {"Strict: true\nStrict: true\n", ":2:1: error: 'Strict' stands here twice"},
        {"- a\n", ":1:1: error: keys with values are expected here"},
        {"Checks: [a\n", "error: this is not YAML: "},
        {"\tChecks: a\n", ":1:1: error: this is not YAML: "},
        {"# \xc3\xa9\n# \xff\n", ":2:3: error: this is not YAML: "},
        {"\xc3\xa9: 1\n", ":1:1: error: unknown key"},
        {"{\"\xc3\xa9\xc3\xa9\": 1, b: 2}\n", ":1:13: error: unknown key 'b'"},
        {"Checks: a\n---\nChecks: b\n", ":3:1: error: a configuration is one document"},
        {"Checks: *none\n", "error: this is not YAML: "},
        {"? [a]\n: b\n", ":1:3: error: a key is expected here"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        f->sink = diag_sink_new(f->mem);
        assert_null(parse(f, cases[i][0]));
        assert_contains(errors_of(f), cases[i][1]);
        assert_contains(errors_of(f), "sub/.awaitc.yaml:");
        assert_contains(errors_of(f), "[awaitc-config]");
    }
}

static void one_run_shows_all_errors(void **state)
{
    struct report_fixture *f = *state;
    assert_null(parse(f, "Pairs: [{acquire: a}, {release: b}]\nA: 1\nStrict: maybe\n"));
    assert_int_equal(diag_error_count(f->sink), 4);
}

static void aliases_are_followed(void **state)
{
    struct report_fixture *f = *state;
    const lint_config *c = parse(f, "LoopCallbacks: &l [{function: f, argument: 1}]\n"
                                    "WorkCallbacks: *l\n");
    assert_non_null(c);
    assert_int_equal(c->work_callbacks.count, 1);
}

static void a_text_of_itself_does_not_loop(void **state)
{
    struct report_fixture *f = *state;
    assert_null(parse(f, "LoopCallbacks: &l [*l]\n"));
}

static void the_nearest_file_upwards_counts_and_is_read_once(void **state)
{
    struct report_fixture *f = *state;
    assert_int_equal(mkdir("a", 0777) | mkdir("a/b", 0777) | mkdir("a/b/c", 0777), 0);
    assert_int_equal(mkdir("d", 0777), 0);
    write_text(".awaitc.yaml", "Checks: root\n");
    write_text("a/b/.awaitc.yaml", "Checks: deep\nFacts: [x.tsv]\n");
    lint_configs *configs = lint_configs_new(f->mem, NULL, f->sink);
    const lint_config *deep = lint_config_of(configs, "a/b/c/x.c");
    assert_string_equal(deep->checks, "deep,");
    assert_string_equal(deep->file, "a/b/.awaitc.yaml");
    assert_string_equal(deep->facts.at[0].path, "a/b/x.tsv");
    assert_ptr_equal(lint_config_of(configs, "./a/../a/b/y.c"), deep);
    const lint_config *root = lint_config_of(configs, "a/x.c");
    assert_string_equal(root->checks, "root,");
    assert_ptr_equal(lint_config_of(configs, "x.c"), root);
    assert_ptr_equal(lint_config_of(configs, "d/x.c"), root);
    char path[5000];
    snprintf(path, sizeof path, "%s/%s/d/y.c", f->old_folder, f->folder);
    assert_ptr_equal(lint_config_of(configs, path), root);
}

static void an_error_in_a_file_is_told_once_and_stays(void **state)
{
    struct report_fixture *f = *state;
    write_text(".awaitc.yaml", "Cheks: a\n");
    lint_configs *configs = lint_configs_new(f->mem, NULL, f->sink);
    assert_null(lint_config_of(configs, "x.c"));
    assert_null(lint_config_of(configs, "y.c"));
    assert_int_equal(diag_error_count(f->sink), 1);
    assert_contains(errors_of(f), ".awaitc.yaml:1:1: error: unknown key");
}

static void a_given_file_counts_for_all(void **state)
{
    struct report_fixture *f = *state;
    write_text(".awaitc.yaml", "Cheks: a\n");
    write_text("other.yaml", "Checks: other\n");
    lint_configs *configs = lint_configs_new(f->mem, "other.yaml", f->sink);
    assert_string_equal(lint_config_of(configs, "x.c")->checks, "other,");
    assert_null(lint_config_of(lint_configs_new(f->mem, "none.yaml", f->sink), "x.c"));
    assert_contains(errors_of(f), "none.yaml: error: the configuration cannot be read: No such");
}

static void options_have_names(void **state)
{
    (void)state;
    assert_string_equal(lint_option_name(LINT_LARGE_FRAME_LIMIT), "awaitc-large-frame.limit");
    assert_true(strlen(lint_option_help(LINT_LARGE_FRAME_LIMIT)) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REPORT_CASE(all_keys),
        REPORT_CASE(nothing_said_is_the_default),
        REPORT_CASE(checks_may_be_a_list),
        REPORT_CASE(errors_have_their_place_and_say_what_is_expected),
        REPORT_CASE(one_run_shows_all_errors),
        REPORT_CASE(aliases_are_followed),
        REPORT_CASE(a_text_of_itself_does_not_loop),
        REPORT_CASE(the_nearest_file_upwards_counts_and_is_read_once),
        REPORT_CASE(an_error_in_a_file_is_told_once_and_stays),
        REPORT_CASE(a_given_file_counts_for_all),
        REPORT_CASE(options_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
