/* SPDX-License-Identifier: MIT */
/* Which characters do bytes make, valid or not; which name is near another one? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyzer/base/nearest_name.h"
#include "analyzer/base/utf8.h"

static uint32_t first_of(const char *text, size_t *len)
{
    uint32_t code;
    *len = utf8_next(sv_from(text), &code);
    return code;
}

static void valid_characters_of_each_length(void **state)
{
    (void)state;
    size_t len;
    assert_int_equal(first_of("a", &len), 'a');
    assert_int_equal(len, 1);
    assert_int_equal(first_of("\xc3\xa9", &len), 0xe9);
    assert_int_equal(len, 2);
    assert_int_equal(first_of("\xe4\xb8\xad", &len), 0x4e2d);
    assert_int_equal(len, 3);
    assert_int_equal(first_of("\xf0\x9f\x98\x80", &len), 0x1f600);
    assert_int_equal(len, 4);
}

static void stray_overlong_surrogate_and_too_large_are_one_byte_each(void **state)
{
    (void)state;
    static const char *const bad[] = {"\xff",         "\x80",         "\xc0\xaf",
                                      "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                      "\xc3",         "\xe4\xb8.x",   "\xf8\x88\x80\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t len;
        assert_int_equal(first_of(bad[i], &len), 0xfffd);
        assert_int_equal(len, 1);
        assert_false(utf8_is_valid(sv_from(bad[i])));
    }
}

static void a_character_cut_by_the_end_of_the_text_is_stray(void **state)
{
    (void)state;
    assert_int_equal(utf8_count((strview){"a\xe4\xb8\xad", 3}), 3);
    assert_int_equal(utf8_count((strview){"a\xe4\xb8\xad", 4}), 2);
}

static void cleaning_replaces_stray_bytes_only(void **state)
{
    (void)state;
    arena *mem = arena_create();
    strview clean = utf8_clean(mem, SV("a\xff\xc3\xa9\xef\xbf\xbd\x80"));
    assert_true(sv_is(clean, "a\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd"));
    strview same = SV("gr\xc3\xbc\xc3\x9f");
    assert_ptr_equal(utf8_clean(mem, same).at, same.at);
    arena_destroy(&mem);
}

static void widths_of_combining_wide_and_common_characters(void **state)
{
    (void)state;
    assert_int_equal(utf8_width_cols('a'), 1);
    assert_int_equal(utf8_width_cols(0x301), 0);
    assert_int_equal(utf8_width_cols(0x4e2d), 2);
    assert_int_equal(utf8_width_cols(0x1f600), 2);
    assert_int_equal(utf8_width_cols(0xe9), 1);
}

static const char *nearest(const char *wanted)
{
    struct nearest_name n = nearest_name_start(wanted);
    nearest_name_offer(&n, "Checks", "Checks");
    nearest_name_offer(&n, "FailOn", "FailOn");
    nearest_name_offer(&n, "Facts", "Facts");
    return n.best;
}

static void the_nearest_name_wins_and_far_ones_do_not_count(void **state)
{
    (void)state;
    assert_string_equal(nearest("Cheks"), "Checks");
    assert_string_equal(nearest("Facks"), "Facts");
    assert_string_equal(nearest("failOn"), "FailOn");
    assert_null(nearest("Unrelated"));
    assert_null(
        nearest("a-name-that-is-very-much-longer-than-any-name-that-anybody-would-ever-type"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_characters_of_each_length),
        cmocka_unit_test(stray_overlong_surrogate_and_too_large_are_one_byte_each),
        cmocka_unit_test(a_character_cut_by_the_end_of_the_text_is_stray),
        cmocka_unit_test(cleaning_replaces_stray_bytes_only),
        cmocka_unit_test(widths_of_combining_wide_and_common_characters),
        cmocka_unit_test(the_nearest_name_wins_and_far_ones_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
