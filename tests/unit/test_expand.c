/* SPDX-License-Identifier: MIT */
/*
 * Are regions expanded and put back, and all else left alone? A small preprocessor of our own
 * stands in for the compiler's: it knows the fences, one macro, and marks lines as gcc does. What
 * real preprocessors do is tested by tests/tool.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/parse/expand.h"

struct fake {
    arena *mem;
    int runs;
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

static bool replace_word(strbuf *out, const char **at, const char *word, const char *by)
{
    if (strncmp(*at, word, strlen(word)) != 0 || (*at)[strlen(word)] == 'c')
        return false; /* "awaitc" is no keyword */
    strbuf_str(out, by);
    *at += strlen(word);
    return true;
}

/* Directives of the source vanish (but #define, as with -dD); TWO becomes 2. */
static bool fake_preprocess(void *context, strview text, strview *output)
{
    struct fake *fake = context;
    strbuf out = strbuf_in(fake->mem);
    unsigned line = 1;
    fake->runs++;
    strbuf_str(&out, "# 1 \"a.c\"\n");
    for (const char *p = text.at; p < text.at + text.len;) {
        bool starts = p == text.at || p[-1] == '\n';
        char what[8];
        unsigned k;
        int len = 0;
        if (sscanf(p, "_Pragma(\"awaitc %7s %u\")%n", what, &k, &len) == 2 && len > 0) {
            strbuf_fmt(&out, "\n# %u \"a.c\"\n#pragma awaitc %s %u\n# %u \"a.c\"\n", line, what, k,
                       line);
            p += len;
            continue;
        }
        if (starts && sscanf(p, "#line %u \"a.c\"%n", &k, &len) == 1 && len > 0) {
            strbuf_fmt(&out, "# %u \"a.c\"\n", k);
            line = k;
            p += len + 1;
            continue;
        }
        if (starts && *p == '#' && strncmp(p, "#define", 7) != 0 && strncmp(p, "#pragma", 7) != 0) {
            while (*p != '\n')
                p++;
            continue;
        }
        if (strncmp(p, "//", 2) == 0) {
            while (*p != '\n')
                p++;
            continue;
        }
        if (strncmp(p, "/*", 2) == 0) {
            for (p += 2; strncmp(p, "*/", 2) != 0; p++) {
                if (*p == '\n') {
                    strbuf_char(&out, '\n');
                    line++;
                }
            }
            p += 2;
            continue;
        }
        if (replace_word(&out, &p, "async", "__awaitc_async__") ||
            replace_word(&out, &p, "await", "__awaitc_await__") ||
            (strncmp(p, "TWO 2", 5) != 0 && replace_word(&out, &p, "TWO", "2")))
            continue;
        line += *p == '\n';
        strbuf_char(&out, *p++);
    }
    *output = strbuf_view(&out);
    return true;
}

static enum header_owner fake_owner(void *context, const char *path)
{
    (void)context;
    return strcmp(path, "awaitc.h") == 0 ? HEADER_OF_AWAITC : HEADER_PLAIN;
}

static enum expand_status expand_to(diag_sink *sink, arena *mem, const char *source, expanded *out,
                                    struct fake *fake)
{
    include_search *search = ARENA_NEW(mem, include_search);
    *search = include_search_in(mem);
    *fake = (struct fake){.mem = mem};
    struct expand_request request = {.path = "a.c",
                                     .source = sv_from(source),
                                     .line_directives = true,
                                     .search = search,
                                     .context = fake,
                                     .preprocess = fake_preprocess,
                                     .owner = fake_owner};
    return expand_unit(mem, &request, sink, out);
}

static enum expand_status expand(arena *mem, const char *source, expanded *out, struct fake *fake)
{
    diag_sink *sink = diag_sink_new(mem);
    enum expand_status status = expand_to(sink, mem, source, out, fake);
    if (status == EXPAND_FAILED)
        diag_print(sink, stdout, false);
    return status;
}

static strview region_text(const expanded *unit, uint32_t i)
{
    return (strview){unit->buffer.at + unit->regions[i].buffer_begin,
                     unit->regions[i].buffer_end - unit->regions[i].buffer_begin};
}

static void a_region_is_expanded(void **state)
{
    expanded unit;
    struct fake fake;
    const char *source = "int a = TWO;\nasync int f(void) { return TWO; }\nint b;\n";
    assert_int_equal(expand(*state, source, &unit, &fake), EXPAND_DONE);
    assert_int_equal(fake.runs, 1);
    assert_int_equal(unit.region_count, 1);
    assert_true(sv_is(region_text(&unit, 0), "__awaitc_async__ int f(void) { return 2; }"));
    assert_non_null(strstr(unit.buffer.at, "int a = TWO;\n"));
    assert_non_null(strstr(unit.buffer.at, "#line 3 \"a.c\"\nint b;\n"));
    assert_true(strncmp(source + unit.regions[0].original_begin, "async int f", 11) == 0);
}

static void plain_sources_are_left(void **state)
{
    expanded unit;
    struct fake fake;
    assert_int_equal(expand(*state, "int a = TWO;\n", &unit, &fake), EXPAND_PLAIN);
}

static void the_splice_keeps_what_is_around(void **state)
{
    expanded unit;
    struct fake fake;
    const char *source = "int a;\nint x; async int f(void) { return 1; } int y;\n"
                         "async int g(void)\n{\n}\n// end";
    assert_int_equal(expand(*state, source, &unit, &fake), EXPAND_DONE);
    strview texts[] = {SV("F"), SV("G\n")};
    strview out = expand_splice(&unit, *state, SV("prelude"), texts);
    assert_string_equal(out.at,
                        "prelude\n#line 1 \"a.c\"\nint a;\nint x; \n#line 2 \"a.c\"\nF\n"
                        "#line 2 \"a.c\"\n int y;\n#line 3 \"a.c\"\nG\n#line 6 \"a.c\"\n// end");
}

static void comments_come_back(void **state)
{
    expanded unit;
    struct fake fake;
    const char *source =
        "async int f(void) { // opens\n  /* own\n   * line */\n\n  x = TWO; // behind\n"
        "  /* before */ y = await z();\n  a /* within */ b;\n}\n";
    assert_int_equal(expand(*state, source, &unit, &fake), EXPAND_DONE);
    strview text = region_text(&unit, 0);
    assert_string_equal(arena_strndup(*state, text.at, text.len),
                        "__awaitc_async__ int f(void) { // opens\n  /* own\n   * line */\n\n"
                        "  x = 2; // behind\n  /* before */ y = __awaitc_await__ z();\n  a  b;\n}");
}

static void places_are_the_source_s(void **state)
{
    expanded unit;
    struct fake fake;
    const char *source =
        "int a;\n\nasync int f(void)\n{\n    int x = TWO + await g();\n}\nint b;\n";
    assert_int_equal(expand(*state, source, &unit, &fake), EXPAND_DONE);
    uint32_t at = (uint32_t)(strstr(unit.buffer.at, "__awaitc_await__") - unit.buffer.at);
    struct diag_place place = expand_place(&unit, at);
    assert_string_equal(place.file, "a.c");
    assert_int_equal(place.line, 5);
    assert_int_equal(place.column, 19);
    at = (uint32_t)(strstr(unit.buffer.at, "int b") - unit.buffer.at);
    assert_int_equal(expand_place(&unit, at).line, 7);
}

static void macros_that_are_left_are_guarded(void **state)
{
    expanded unit;
    struct fake fake;
    const char *source = "#define self self\nasync int f(void) { return self; }\nint b;\n";
    assert_int_equal(expand(*state, source, &unit, &fake), EXPAND_DONE);
    assert_non_null(strstr(unit.buffer.at, "#pragma push_macro(\"self\")\n#undef self\n#line 2"));
    assert_non_null(strstr(unit.buffer.at, "#pragma pop_macro(\"self\")\n"));
    strview texts[] = {SV("int f(void) { return 1; }")};
    strview out = expand_splice(&unit, *state, SV(""), texts);
    assert_null(strstr(out.at, "push_macro"));
}

static void definitions_of_a_region_are_repeated(void **state)
{
    expanded unit;
    struct fake fake;
    const char *source = "async int f(void) {\n#define LATER 3\n  return 1;\n}\nint b;\n";
    assert_int_equal(expand(*state, source, &unit, &fake), EXPAND_DONE);
    assert_null(strstr(region_text(&unit, 0).at, "#define LATER 3\n  return"));
    assert_non_null(strstr(unit.buffer.at, "}\n#define LATER 3\n#line 5 \"a.c\"\nint b;"));
}

static void unbalanced_text_is_an_error(void **state)
{
    expanded unit;
    struct fake fake;
    assert_int_equal(expand(*state, "async int f(void) { if (1) {\n", &unit, &fake), EXPAND_FAILED);
}

/* How many awaits stand outside of functions? */
static uint32_t strays(arena *mem, const char *source)
{
    diag_sink *sink = diag_sink_new(mem);
    expanded unit;
    struct fake fake;
    assert_int_equal(expand_to(sink, mem, source, &unit, &fake), EXPAND_DONE);
    return diag_error_count(sink);
}

static void awaits_outside_of_functions_are_errors(void **state)
{
    assert_int_equal(strays(*state, "async int f(void);\nint n = await f();\n"), 1);
    assert_int_equal(strays(*state, "int n = 2 + await (f)();\nint v[await f()];\n"), 2);
    assert_int_equal(strays(*state, "int\nn\n=\nawait\nf();\n"), 1);
    assert_int_equal(strays(*state, "async int f(void) { return await g(); }\n"), 0);
    assert_int_equal(strays(*state, "struct s { int await; };\nint await(int);\nint *await;\n"), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_region_is_expanded),
        TEST(plain_sources_are_left),
        TEST(the_splice_keeps_what_is_around),
        TEST(comments_come_back),
        TEST(places_are_the_source_s),
        TEST(macros_that_are_left_are_guarded),
        TEST(definitions_of_a_region_are_repeated),
        TEST(unbalanced_text_is_an_error),
        TEST(awaits_outside_of_functions_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
