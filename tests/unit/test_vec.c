/* SPDX-License-Identifier: MIT */
/* Do lists of any element type grow and keep what was put in? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyzer/base/vec.h"

struct pair {
    int first;
    const char *second;
};

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

static void all_zero_is_the_empty_list(void **state)
{
    (void)state;
    VEC(int) v = {0};
    assert_int_equal(v.count, 0);
    assert_null(v.at);
}

static void elements_survive_growth(void **state)
{
    VEC(uint32_t) v = {0};
    for (uint32_t i = 0; i < 5000; i++)
        VEC_PUSH(*state, &v, i * 3);
    assert_int_equal(v.count, 5000);
    assert_true(v.capacity >= v.count);
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_equal(v.at[i], i * 3);
    assert_int_equal(VEC_LAST(&v), 4999 * 3);
}

static void structs_and_pointers_are_elements_too(void **state)
{
    VEC(struct pair) pairs = {0};
    VEC(const char *) names = {0};
    for (int i = 0; i < 20; i++) {
        VEC_PUSH(*state, &pairs, (struct pair){i, "x"});
        VEC_PUSH(*state, &names, pairs.at[i].second);
    }
    assert_int_equal(pairs.at[0].first, 0);
    assert_int_equal(VEC_LAST(&pairs).first, 19);
    assert_string_equal(names.at[7], "x");
}

static void two_lists_do_not_disturb_each_other(void **state)
{
    VEC(char) a = {0};
    VEC(double) b = {0};
    for (int i = 0; i < 100; i++) {
        VEC_PUSH(*state, &a, (char)i);
        VEC_PUSH(*state, &b, i * 0.5);
    }
    for (int i = 0; i < 100; i++) {
        assert_int_equal(a.at[i], (char)i);
        assert_true(b.at[i] >= i * 0.5 && b.at[i] <= i * 0.5);
    }
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest cases[] = {
        CASE(all_zero_is_the_empty_list),
        CASE(elements_survive_growth),
        CASE(structs_and_pointers_are_elements_too),
        CASE(two_lists_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests_name("vec", cases, NULL, NULL);
}
