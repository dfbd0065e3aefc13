/* SPDX-License-Identifier: MIT */
/* Is a buffer's text always whole and ended, however it grew? And do views compare as text? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyzer/base/strbuf.h"

static int set_up(void **state)
{
    *state = arena_create();
    return 0;
}

static int tear_down(void **state)
{
    arena *mem = *state;
    arena_destroy(&mem);
    return 0;
}

static void an_empty_buffer_is_the_empty_text(void **state)
{
    strbuf b = strbuf_in(*state);
    assert_string_equal(strbuf_text(&b), "");
    assert_int_equal(strbuf_view(&b).len, 0);
    strbuf_add(&b, NULL, 0);
    assert_string_equal(strbuf_text(&b), "");
}

static void every_way_to_append(void **state)
{
    strbuf b = strbuf_in(*state);
    strbuf_str(&b, "int ");
    strbuf_sv(&b, SV("x"));
    strbuf_char(&b, '[');
    strbuf_fmt(&b, "%d", 42);
    strbuf_add(&b, "];junk", 2);
    assert_string_equal(strbuf_text(&b), "int x[42];");
    assert_true(sv_is(strbuf_view(&b), "int x[42];"));
}

static void growth_keeps_the_text(void **state)
{
    strbuf b = strbuf_in(*state);
    for (int i = 0; i < 10000; i++)
        strbuf_fmt(&b, "%04d", i);
    assert_int_equal(b.len, 40000);
    assert_int_equal(strlen(strbuf_text(&b)), 40000);
    assert_memory_equal(strbuf_text(&b) + 4 * 1234, "1234", 4);
    assert_memory_equal(strbuf_text(&b) + 4 * 9999, "9999", 4);
}

static void text_may_hold_nul_bytes(void **state)
{
    strbuf b = strbuf_in(*state);
    strbuf_add(&b, "a\0b", 3);
    assert_int_equal(strbuf_view(&b).len, 3);
    assert_memory_equal(strbuf_text(&b), "a\0b", 4);
}

static void views_compare_as_text(void **state)
{
    (void)state;
    strview s = sv_from("async int f");
    assert_true(sv_starts(s, "async"));
    assert_false(sv_starts(s, "async int f(void)"));
    assert_true(sv_ends(s, " f"));
    assert_true(sv_ends(s, ""));
    assert_true(sv_equal((strview){NULL, 0}, SV("")));
    assert_false(sv_equal(SV("ab"), SV("abc")));
    assert_false(sv_equal(SV("abc"), SV("abd")));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest cases[] = {
        CASE(an_empty_buffer_is_the_empty_text),
        CASE(every_way_to_append),
        CASE(growth_keeps_the_text),
        CASE(text_may_hold_nul_bytes),
        CASE(views_compare_as_text),
    };
    return cmocka_run_group_tests_name("strbuf", cases, NULL, NULL);
}
