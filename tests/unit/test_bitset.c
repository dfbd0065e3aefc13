/* SPDX-License-Identifier: MIT */
/* Do the sets behave as sets, above all at the borders of words? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyzer/base/bitset.h"
#include "analyzer/base/check.h"

enum { CAPACITY = 200 };

static const uint32_t borders[] = {0, 63, 64, 127, 128, 199};

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

static bitset with_borders(arena *mem)
{
    bitset s = bitset_new(mem, CAPACITY);
    for (size_t i = 0; i < COUNTOF(borders); i++)
        bitset_add(&s, borders[i]);
    return s;
}

static void a_new_set_is_empty(void **state)
{
    bitset s = bitset_new(*state, CAPACITY);
    assert_true(bitset_is_empty(&s));
    assert_int_equal(bitset_count(&s), 0);
    assert_int_equal(bitset_next(&s, 0), UINT32_MAX);
    bitset none = bitset_new(*state, 0);
    assert_true(bitset_is_empty(&none));
    assert_false(bitset_has(&none, 0));
    assert_true(bitset_equal(&none, &none));
}

static void members_are_added_and_removed(void **state)
{
    bitset s = with_borders(*state);
    assert_int_equal(bitset_count(&s), COUNTOF(borders));
    for (uint32_t i = 0, k = 0; i < CAPACITY; i++) {
        bool expected = k < COUNTOF(borders) && borders[k] == i;
        assert_int_equal(bitset_has(&s, i), expected);
        if (expected)
            k++;
    }
    assert_false(bitset_has(&s, 1000000));
    bitset_remove(&s, 64);
    bitset_remove(&s, 65);
    assert_false(bitset_has(&s, 64));
    assert_int_equal(bitset_count(&s), COUNTOF(borders) - 1);
    bitset_clear(&s);
    assert_true(bitset_is_empty(&s));
}

static void iteration_is_ascending_and_complete(void **state)
{
    bitset s = with_borders(*state);
    size_t seen = 0;
    BITSET_FOR_EACH (i, &s) {
        assert_true(seen < COUNTOF(borders));
        assert_int_equal(i, borders[seen++]);
    }
    assert_int_equal(seen, COUNTOF(borders));
    assert_int_equal(bitset_next(&s, 64), 64);
    assert_int_equal(bitset_next(&s, 65), 127);
    assert_int_equal(bitset_next(&s, CAPACITY), UINT32_MAX);
}

static void union_tells_whether_it_grew(void **state)
{
    bitset s = with_borders(*state);
    bitset more = bitset_new(*state, CAPACITY);
    bitset_add(&more, 63);
    assert_false(bitset_union(&s, &more));
    bitset_add(&more, 190);
    assert_true(bitset_union(&s, &more));
    assert_true(bitset_has(&s, 190));
    assert_int_equal(bitset_count(&s), COUNTOF(borders) + 1);
}

static void copy_minus_and_equality(void **state)
{
    bitset s = with_borders(*state);
    bitset t = bitset_new(*state, CAPACITY);
    assert_false(bitset_equal(&s, &t));
    bitset_copy(&t, &s);
    assert_true(bitset_equal(&s, &t));
    bitset one = bitset_new(*state, CAPACITY);
    bitset_add(&one, 128);
    bitset_minus(&t, &one);
    assert_false(bitset_has(&t, 128));
    bitset_minus(&t, &s);
    assert_true(bitset_is_empty(&t));
    assert_int_equal(bitset_count(&s), COUNTOF(borders));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest cases[] = {
        CASE(a_new_set_is_empty),
        CASE(members_are_added_and_removed),
        CASE(iteration_is_ascending_and_complete),
        CASE(union_tells_whether_it_grew),
        CASE(copy_minus_and_equality),
    };
    return cmocka_run_group_tests_name("bitset", cases, NULL, NULL);
}
