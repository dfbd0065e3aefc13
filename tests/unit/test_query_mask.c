/* SPDX-License-Identifier: MIT */
/* Is async C masked where it is async C, and left alone where the words are names? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyzer/query/query_macros.h"
#include "analyzer/query/query_mask.h"
#include "analyzer/query/query_regex.h"

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

static const char *masked(arena *mem, const char *source)
{
    static const char *const annotations[] = {"coroutine_fn", "co"};
    return query_mask(mem, sv_from(source), annotations, 2).text.at;
}

static void words_of_async_c(void **state)
{
    assert_string_equal(masked(*state, "static async int f(void);"), "static const int f(void);");
    assert_string_equal(masked(*state, "int aw_async f(void) {}"), "int const    f(void) {}");
    assert_string_equal(masked(*state, "x = await g(1) + aw_await(h(2));"),
                        "x = +     g(1) + +       (h(2));");
    assert_string_equal(masked(*state, "return await (*p)(1);"), "return +     (*p)(1);");
    assert_string_equal(masked(*state, "; defer { close(fd); }"), "; if(1) { close(fd); }");
    assert_string_equal(masked(*state, "aw_defer close(fd);"), "aw_defer close(fd);");
    assert_string_equal(masked(*state, "{ aw_defer close(fd);"), "{ if(1)    close(fd);");
    assert_string_equal(masked(*state, "AW_BLOCKS int f(void *p AW_NOESCAPE);"),
                        "          int f(void *p            );");
    assert_string_equal(masked(*state, "int coroutine_fn f(void); int co g(void);"),
                        "int const        f(void); int co g(void);");
}

static void ordinary_names(void **state)
{
    static const char *const sources[] = {
        "int async = 0; async++; f(async, 1); p->async; x.await (1);",
        "int await(int); int await = 3; struct await x; goto await;",
        "struct defer { int x; }; defer(x, y); int defer = 2;",
        "/* async int f */ // await g()\n\"await g()\" 'a'",
        "#define WAIT(x) await x\n#if async int\n",
        "as\\\nync int f(void);",
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        assert_string_equal(masked(*state, sources[i]), sources[i]);
}

static void offsets_are_kept(void **state)
{
    struct masked_text m =
        query_mask(*state, SV("async int f(void) { await g(); await h(); }"), NULL, 0);
    assert_int_equal(m.asyncs.count, 1);
    assert_int_equal(m.awaits.count, 2);
    assert_int_equal(m.awaits.at[0], 20);
    assert_true(offset_list_meets(&m.awaits, 20, 21));
    assert_true(offset_list_meets(&m.awaits, 21, 40));
    assert_false(offset_list_meets(&m.awaits, 21, 31));
    assert_false(offset_list_meets(&m.awaits, 32, 99));
    assert_int_equal(query_mask(*state, (strview){NULL, 0}, NULL, 0).text.len, 0);
}

static enum macro_fate fate(arena *mem, const char *defines, const char *name, uint32_t index)
{
    struct macro_table table = macro_table_read(mem, sv_from(defines));
    return macro_argument_fate(mem, &table, sv_from(name), index);
}

static void macros_and_their_arguments(void **state)
{
    assert_int_equal(fate(*state, "", "assert", 0), MACRO_DROPS);
    assert_int_equal(fate(*state, "", "MAX", 1), MACRO_REPEATS);
    assert_int_equal(fate(*state, "", "f", 0), MACRO_KEEPS);
    assert_int_equal(fate(*state, "#define f(a, b) ((a) + 1)\n", "f", 0), MACRO_KEEPS);
    assert_int_equal(fate(*state, "#define f(a, b) ((a) + 1)\n", "f", 1), MACRO_DROPS);
    assert_int_equal(fate(*state, "#define f(a) ((a) + \\\n (a))\n", "f", 0), MACRO_REPEATS);
    assert_int_equal(fate(*state, "# define f(a...) g(a)\n", "f", 3), MACRO_KEEPS);
    assert_int_equal(fate(*state, "#define f(a, ...) g(a)\n", "f", 3), MACRO_DROPS);
    assert_int_equal(fate(*state, "#define f() g()\n", "f", 0), MACRO_KEEPS);
    assert_int_equal(fate(*state, "#define f (a)\n", "f", 0), MACRO_KEEPS);
    assert_int_equal(fate(*state, "#define f(a) a##x(#a, a)\n", "f", 0), MACRO_KEEPS);
    assert_int_equal(fate(*state, "#define f(a) f(f(a))\n", "f", 0), MACRO_KEEPS);
    assert_int_equal(fate(*state, "#define f(a) g(g(a))\n#define g(a) (a) + (a)\n", "f", 0),
                     MACRO_REPEATS);
}

static bool matches(arena *mem, const char *pattern, const char *text)
{
    const char *why = NULL;
    query_regex *regex = query_regex_compile(mem, sv_from(pattern), &why);
    assert_non_null(regex);
    bool result = query_regex_matches(regex, sv_from(text));
    query_regex_free(regex);
    return result;
}

static void regular_expressions(void **state)
{
    assert_true(matches(*state, "^\\w+\\s*\\(\\d*\\)$", "foo_1 (23)"));
    assert_false(matches(*state, "^\\w+$", "a b"));
    assert_true(matches(*state, "^[\\w.]+$", "a.b"));
    assert_true(matches(*state, "^[^\\]x]$", "y"));
    assert_false(matches(*state, "^[^]x]$", "]"));
    assert_true(matches(*state, "(?i)^ABC$", "abc"));
    assert_true(matches(*state, "a(?:b|c)+?d", "xabcbd"));
    assert_true(matches(*state, "\\bawait\\b", "x await y"));
    assert_false(matches(*state, "\\bawait\\b", "x awaits y"));
    static const char *const wrong[] = {"a\\", "(?=x)", "(a)\\1", "[a", "a)(", "[\\W]"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *why = NULL;
        assert_null(query_regex_compile(*state, sv_from(wrong[i]), &why));
        assert_non_null(why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(words_of_async_c),           TEST(ordinary_names),      TEST(offsets_are_kept),
        TEST(macros_and_their_arguments), TEST(regular_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
