/* SPDX-License-Identifier: MIT */
/* Do facts come back from their text as they were, and what happens to text that is broken? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyzer/program/facts_io.h"

static arena *mem;

static int set_up(void **state)
{
    (void)state;
    mem = arena_create();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(&mem);
    return 0;
}

/* Facts with one of each kind of line, and of each kind of value. */
static struct unit_facts *some_facts(void)
{
    struct unit_facts *u = ARENA_NEW(mem, struct unit_facts);
    struct diag_place place = {.file = "dir/a\tb.c", .line = 3, .column = 7};
    struct fact_function f = {.name = "on_input", .file = "dir/a\tb.c", .place = place};
    struct fact_call c = {.callee_kind = CALLEE_NAME, .callee = "recv", .place = place};
    static const struct value values[] = {
        {.kind = VALUE_UNKNOWN},
        {.kind = VALUE_NUMBER, .number = INT64_MIN, .text = "MIN"},
        {.kind = VALUE_STRING, .text = "line\n\t\\0 end\\"},
        {.kind = VALUE_PARAM, .number = 1, .with = 64},
        {.kind = VALUE_KEY, .text = "conn.fd", .key = "l:f.fd"},
        {.kind = VALUE_CHOICE, .number = 0, .with = -1, .otherwise = INT64_MAX},
    };
    u->mem = mem;
    u->path = "dir/a\tb.c";
    f.is_defined = f.is_static = true;
    f.param_count = 2;
    c.result_unused = c.wants_all = c.is_last = true;
    c.source_text = "recv(fd, \"\\n\")";
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        VEC_PUSH(mem, &c.args, values[i]);
    struct fact_condition when = {.param = 1, .equal = false, .number = -5};
    VEC_PUSH(mem, &c.when, when);
    VEC_PUSH(mem, &c.held, "conn.mu");
    VEC_PUSH(mem, &f.calls, c);
    VEC_PUSH(mem, &f.returns, values[1]);
    VEC_PUSH(mem, &u->functions, f);
    struct fact_store store = {.key = "ops.put", .value = values[4], .function = 0, .place = place};
    VEC_PUSH(mem, &u->stores, store);
    VEC_PUSH(mem, &u->addresses, "on_input");
    VEC_PUSH(mem, &u->marks, "async-lock-spans conn.lock");
    VEC_PUSH(mem, &u->dependencies, "dir/a\tb.c");
    struct candidate *candidate = ARENA_NEW(mem, struct candidate);
    candidate->finding.rule = "awaitc-drain-loop";
    candidate->finding.message = "a \\ message";
    candidate->finding.place = place;
    VEC_PUSH(mem, &u->candidates, candidate);
    return u;
}

static strview text_of(const struct unit_facts *facts)
{
    strbuf out = strbuf_in(mem);
    facts_write(facts, &out);
    return sv_from(strbuf_text(&out));
}

static struct unit_facts *read(strview text, const char **error)
{
    size_t at = 0;
    uint32_t line = 0;
    return facts_read(mem, text, &at, &line, error);
}

static void what_is_read_is_written_again_byte_for_byte(void **state)
{
    const char *error;
    (void)state;
    strview text = text_of(some_facts());
    struct unit_facts *again = read(text, &error);
    assert_non_null(again);
    assert_string_equal(text_of(again).at, text.at);
    const struct fact_call *c = &again->functions.at[0].calls.at[0];
    assert_true(c->wants_all && c->is_last && c->result_unused && !c->is_async);
    assert_int_equal(c->args.at[3].with, 64);
    assert_string_equal(c->args.at[2].text, "line\n\t\\0 end\\");
    assert_true(c->args.at[5].otherwise == INT64_MAX);
    assert_int_equal(c->when.at[0].number, -5);
    assert_false(c->when.at[0].equal);
}

static void every_part_of_a_file_is_refused(void **state)
{
    const char *error;
    (void)state;
    strview text = text_of(some_facts());
    for (size_t len = 1; len + 1 < text.len; len++) {
        assert_null(read((strview){text.at, len}, &error));
        assert_non_null(error);
    }
}

/* What still reads after a change is whole facts: it can be written, and read once more. */
static void changed_bytes_are_refused_or_give_whole_facts(void **state)
{
    const char *error;
    uint32_t seed = 12345;
    (void)state;
    strview text = text_of(some_facts());
    for (unsigned round = 0; round < 4000; round++) {
        char *copy = arena_strndup(mem, text.at, text.len);
        for (unsigned i = 0; i <= round % 3; i++) {
            seed = seed * 1664525 + 1013904223;
            size_t at = (seed >> 8) % text.len;
            copy[at] = "0189-\t\n\\az\x7f\xff"[(seed >> 4) % 12];
        }
        struct unit_facts *changed = read((strview){copy, text.len}, &error);
        if (changed == NULL)
            assert_non_null(error);
        else
            assert_non_null(read(text_of(changed), &error));
    }
}

static void another_version_is_named(void **state)
{
    const char *error;
    (void)state;
    assert_null(read(SV("awaitc-facts\t1\ta.c\nend\n"), &error));
    assert_non_null(strstr(error, "another version"));
    assert_null(read(SV("hello\n"), &error));
    assert_non_null(strstr(error, "no facts file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_read_is_written_again_byte_for_byte, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(every_part_of_a_file_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(changed_bytes_are_refused_or_give_whole_facts, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(another_version_is_named, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
