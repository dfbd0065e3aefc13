/* SPDX-License-Identifier: MIT */
/* Are the functions to lower found in written text, and nothing else? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/parse/regions.h"

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

/* The ranges' texts, each between [ and ]. */
static const char *found(arena *mem, const char *text, struct region_options options)
{
    struct region_list list = regions_find(mem, sv_from(text), &options);
    strbuf out = strbuf_in(mem);
    for (uint32_t i = 0; i < list.count; i++)
        strbuf_fmt(&out, "[%.*s]", (int)(list.at[i].end - list.at[i].begin),
                   text + list.at[i].begin);
    return strbuf_text(&out);
}

static const char *in_source(arena *mem, const char *text)
{
    return found(mem, text, (struct region_options){.words = REGION_WORDS_SOURCE});
}

static void async_definitions_only(void **state)
{
    assert_string_equal(in_source(*state, "async int f(int a) { return a; }"),
                        "[async int f(int a) { return a; }]");
    assert_string_equal(in_source(*state, "async int f(int a);"), "");
    assert_string_equal(in_source(*state, "int f(int a) { return a; }"), "");
    assert_string_equal(in_source(*state, "static aw_async int f(void) {}"),
                        "[static aw_async int f(void) {}]");
    assert_string_equal(in_source(*state, "int async f(void) {}"), "[int async f(void) {}]");
    assert_string_equal(in_source(*state, "int x; async int f(void) {} int y;"),
                        "[async int f(void) {}]");
}

static void async_elsewhere_is_no_region(void **state)
{
    assert_string_equal(in_source(*state, "struct s { async int (*f)(int); };"), "");
    assert_string_equal(in_source(*state, "typedef async int (*h)(int);"), "");
    assert_string_equal(in_source(*state, "void g(async int (*h)(int)) {}"), "");
    assert_string_equal(in_source(*state, "/* async int f(void) {} */ int g(void) {}"), "");
    assert_string_equal(in_source(*state, "char *s = \"async int f(void) {}\"; int g(void) {}"),
                        "");
}

static void plain_functions_that_use_a_form(void **state)
{
    assert_string_equal(in_source(*state, "int g(void) { return aw_block_on(f()); }"),
                        "[int g(void) { return aw_block_on(f()); }]");
    assert_string_equal(in_source(*state, "void g(void) { spawn(f()); } void h(void) {}"),
                        "[void g(void) { spawn(f()); }]");
}

static void braces_that_are_no_bodies(void **state)
{
    assert_string_equal(in_source(*state, "int v[] = { f(1) }; async int f(void) {}"),
                        "[async int f(void) {}]");
    assert_string_equal(in_source(*state, "struct s { int a; } x; async struct s f(void) {}"),
                        "[async struct s f(void) {}]");
    assert_string_equal(in_source(*state, "async struct { int a; } f(void) { return g(); }"),
                        "[async struct { int a; } f(void) { return g(); }]");
    assert_string_equal(in_source(*state, "async enum { A = (1) } f(void) { return A; }"),
                        "[async enum { A = (1) } f(void) { return A; }]");
    assert_string_equal(in_source(*state, "extern \"C\" { async int f(void) {} }"),
                        "[async int f(void) {}]");
    assert_string_equal(in_source(*state, "async typeof(int) f(void) { g(); }"),
                        "[async typeof(int) f(void) { g(); }]");
    assert_string_equal(in_source(*state, "int a = ({ 1; }); async int f(void) {}"),
                        "[async int f(void) {}]");
}

static void attributes_do_not_confuse(void **state)
{
    assert_string_equal(
        in_source(*state, "__attribute__((noinline)) async int f(void) __attribute__((cold)) {}"),
        "[__attribute__((noinline)) async int f(void) __attribute__((cold)) {}]");
    assert_string_equal(
        in_source(*state, "struct __attribute__((packed)) s { int a; }; async int f(void) {}"),
        "[async int f(void) {}]");
}

static void old_style_definitions_begin_at_their_header(void **state)
{
    assert_string_equal(in_source(*state, "int x; async int f(a, b) int a; char *b; { return a; }"),
                        "[async int f(a, b) int a; char *b; { return a; }]");
}

static void a_region_holds_whole_groups(void **state)
{
    const char *heads = "#if A\nasync int f(int a) {\n#else\nasync int f(long a) {\n#endif\n"
                        "  return a;\n}";
    assert_string_equal(in_source(*state, arena_printf(*state, "int x;\n%s\nint y;", heads)),
                        arena_printf(*state, "[%s]", heads));
    const char *tails = "async int f(void) {\n#if A\n  return 1; }\n#else\n  return 2; }\n#endif";
    assert_string_equal(in_source(*state, arena_printf(*state, "%s\nint y;", tails)),
                        arena_printf(*state, "[%s]", tails));
    const char *inner = "async int f(int a) {\n#ifdef Q\n  if (a) {\n#else\n  if (!a) {\n#endif\n"
                        "  } }";
    assert_string_equal(in_source(*state, arena_printf(*state, "%s int y;", inner)),
                        arena_printf(*state, "[%s]", inner));
}

static void text_in_if_0_does_not_count(void **state)
{
    assert_string_equal(
        in_source(*state, "#if 0\nint q(void) { don't\n#endif\nasync int f(void) {}"),
        "[async int f(void) {}]");
}

static void macros_that_hold_keywords(void **state)
{
    assert_string_equal(
        in_source(*state, "#define TASK async int\nTASK f(void) { }\nint g(void) {}"),
        "[TASK f(void) { }]");
    assert_string_equal(
        in_source(*state, "#define A async\n#define B A\nint x;\nB int f(void) { }"),
        "[B int f(void) { }]");
    assert_string_equal(in_source(*state, "#define MAKE(n) async int n(void) {}\nMAKE(f);\nint x;"),
                        "[MAKE(f);]");
    assert_string_equal(in_source(*state, "#define RUN(x) aw_block_on(x)\nint m(void) { RUN(1); }"),
                        "[int m(void) { RUN(1); }]");
}

static void odd_spellings(void **state)
{
    assert_string_equal(in_source(*state, "asy\\\nnc int f(void) <% %>"),
                        "[asy\\\nnc int f(void) <% %>]");
    assert_string_equal(
        in_source(*state, "async int f(void) { char c = '{'; char *s = \"}\\\"{\"; }"),
        "[async int f(void) { char c = '{'; char *s = \"}\\\"{\"; }]");
    assert_string_equal(in_source(*state, "async int f(void) { /* } */ // }\n }"),
                        "[async int f(void) { /* } */ // }\n }]");
    assert_string_equal(in_source(*state, "async int f(void) { s = R\"x(})\" { )x\"; }"),
                        "[async int f(void) { s = R\"x(})\" { )x\"; }]");
    struct region_options trigraphs = {.words = REGION_WORDS_SOURCE, .trigraphs = true};
    assert_string_equal(found(*state, "async int f(void) ?\?< ?\?> int x;", trigraphs),
                        "[async int f(void) ?\?< ?\?>]");
}

static void an_unfinished_text_is_told(void **state)
{
    struct region_options options = {.words = REGION_WORDS_MARKERS};
    assert_false(regions_find(*state, SV("int f(void) { if (a) {"), &options).complete);
    assert_false(regions_find(*state, SV("int f(int a"), &options).complete);
    assert_true(regions_find(*state, SV("int f(void) {} int x"), &options).complete);
}

static void markers_in_expanded_text(void **state)
{
    struct region_options options = {.words = REGION_WORDS_MARKERS};
    assert_string_equal(found(*state,
                              "# 1 \"a.c\"\n__awaitc_async__ int f(void) { } async int g(void) {}",
                              options),
                        "[__awaitc_async__ int f(void) { }]");
    assert_string_equal(found(*state, "int m(void) { __awaitc_block_on__(f()); }", options),
                        "[int m(void) { __awaitc_block_on__(f()); }]");
}

static void every_declaration(void **state)
{
    struct region_options options = {.words = REGION_WORDS_SOURCE, .every_declaration = true};
    assert_string_equal(
        found(*state, "int a; struct s { int b; } c;\nMAKE(f)\nint g(void) {}\nLAST(x)", options),
        "[int a;][struct s { int b; } c;][MAKE(f)\nint g(void) {}][LAST(x)]");
}

static void mentions(void **state)
{
    assert_true(regions_mention(*state, SV("x = await f();"), NULL));
    assert_true(regions_mention(*state, SV("#define TASK async int\n"), NULL));
    assert_true(regions_mention(*state, SV("aw_try_all(a)"), NULL));
    assert_false(regions_mention(*state, SV("/* async */ \"await\" asynchronous aw_read_x"), NULL));
    word_set macros = word_set_in(*state);
    regions_mention(*state, SV("#define TASK async int\n"), &macros);
    assert_true(regions_mention(*state, SV("TASK f(void);"), &macros));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(async_definitions_only),
        TEST(async_elsewhere_is_no_region),
        TEST(plain_functions_that_use_a_form),
        TEST(braces_that_are_no_bodies),
        TEST(attributes_do_not_confuse),
        TEST(old_style_definitions_begin_at_their_header),
        TEST(a_region_holds_whole_groups),
        TEST(text_in_if_0_does_not_count),
        TEST(macros_that_hold_keywords),
        TEST(odd_spellings),
        TEST(an_unfinished_text_is_told),
        TEST(markers_in_expanded_text),
        TEST(every_declaration),
        TEST(mentions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
