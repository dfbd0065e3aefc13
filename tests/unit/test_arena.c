/* SPDX-License-Identifier: MIT */
/* Does the arena hand out zeroed, aligned, separate memory, whatever the sizes? */
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyzer/base/arena.h"

static void destroy_accepts_null_and_clears(void **state)
{
    (void)state;
    arena *a = NULL;
    arena_destroy(&a);
    a = arena_create();
    arena_destroy(&a);
    assert_null(a);
}

static void memory_is_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    arena *a = arena_create();
    unsigned char *previous = NULL;
    for (size_t size = 1; size < 3000; size += 7) {
        unsigned char *p = arena_alloc(a, size);
        assert_int_equal((uintptr_t)p % alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
        memset(p, 0xa5, size);
        if (previous != NULL)
            assert_int_equal(*previous, 0xa5);
        previous = p;
    }
    arena_destroy(&a);
}

static void a_request_larger_than_a_block_is_served(void **state)
{
    (void)state;
    arena *a = arena_create();
    const size_t size = 5 * 1024 * 1024;
    char *large = arena_alloc(a, size);
    large[0] = large[size - 1] = 1;
    char *small = arena_alloc(a, 8);
    assert_int_equal(small[0], 0);
    assert_true(arena_used_bytes(a) >= size + 8);
    arena_destroy(&a);
}

static void copies_are_copies(void **state)
{
    (void)state;
    arena *a = arena_create();
    char text[] = "hello, world";
    char *hello = arena_strndup(a, text, 5);
    int numbers[] = {1, 2, 3};
    int *copied = arena_copy(a, numbers, sizeof numbers);
    text[0] = 'J';
    numbers[0] = 9;
    assert_string_equal(hello, "hello");
    assert_int_equal(copied[0], 1);
    assert_string_equal(arena_strndup(a, text, 0), "");
    assert_non_null(arena_copy(a, NULL, 0));
    arena_destroy(&a);
}

static void printf_fits_any_length(void **state)
{
    (void)state;
    arena *a = arena_create();
    assert_string_equal(arena_printf(a, "%s-%d", "x", 7), "x-7");
    char *wide = arena_printf(a, "%100000d", 1);
    assert_int_equal(strlen(wide), 100000);
    arena_destroy(&a);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(destroy_accepts_null_and_clears),
        cmocka_unit_test(memory_is_zeroed_aligned_and_apart),
        cmocka_unit_test(a_request_larger_than_a_block_is_served),
        cmocka_unit_test(copies_are_copies),
        cmocka_unit_test(printf_fits_any_length),
    };
    return cmocka_run_group_tests_name("arena", cases, NULL, NULL);
}
