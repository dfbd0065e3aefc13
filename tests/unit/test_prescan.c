/* SPDX-License-Identifier: MIT */
/* Is "nothing async here" said only where it is true, and said where it is? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyzer/parse/prescan.h"

static char folder[] = "/tmp/test_prescan_XXXXXX";

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

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int enter_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    mkdir("inc", 0700);
    mkdir("lib", 0700);
    mkdir("src", 0700);
    write_file("inc/plain.h", "int plain(void);\n");
    write_file("inc/api.h", "#include <awaitc.h>\nasync int api(int);\n");
    write_file("inc/only.h", "#include <awaitc.h>\nint only(void);\n");
    write_file("inc/nested.h", "  #  include \"api.h\"\n");
    write_file("inc/macro.h", "#include <awaitc.h>\n#define TASK async int\n");
    write_file("inc/defs.h",
               "#include <awaitc.h>\nstatic async int in_header(void) { return 1; }\n");
    write_file("inc/uv.h", "struct s { int async; };\n");
    write_file("inc/next.h", "#include_next <next.h>\n");
    write_file("lib/next.h", "#include <awaitc.h>\nasync int next(void);\n");
    write_file("lib/asks.h", "#include \"util.h\"\n");
    write_file("inc/util.h", "\n");
    write_file("src/util.h", "\n");
    mkdir("own", 0700);
    write_file("own/awaitc.h", "aw_async int aw_nap(int n) AW_LEAF_(aw_nap, 8);\n"
                               "int aw_plain(int n);\n");
    return 0;
}

static int leave_folder(void **state)
{
    (void)state;
    arena *mem = arena_create();
    int status = system(arena_printf(mem, "rm -rf %s", folder));
    arena_destroy(&mem);
    return status != 0;
}

static struct prescan scan(arena *mem, const char *path, const char *source)
{
    include_search *search = ARENA_NEW(mem, include_search);
    *search = include_search_in(mem);
    VEC_PUSH(mem, &search->bracket, "inc");
    VEC_PUSH(mem, &search->bracket, "lib");
    return prescan_unit(search, path, sv_from(source));
}

static bool is_async(arena *mem, const char *source)
{
    struct prescan p = scan(mem, "a.c", source);
    return p.reaches_keywords && p.names_async;
}

static void plain_sources_are_told(void **state)
{
    assert_false(is_async(*state, "#include <plain.h>\nint f(void) { return 0; }\n"));
    assert_false(is_async(*state, "#include <plain.h>\nint async, await, spawn;\n"));
    assert_false(is_async(*state, "#include <uv.h>\nint f(void) { return 0; }\n"));
    assert_false(is_async(*state, "#include <only.h>\nint f(void) { return 0; }\n"));
    assert_false(is_async(*state, "#include <awaitc/plain.h>\nint async;\n"));
    assert_false(is_async(*state, "#include <awaitc.h>\n/* async */ int f(void) { return 0; }\n"));
}

static void async_sources_are_told(void **state)
{
    assert_true(is_async(*state, "#include <awaitc.h>\nasync int f(void) { return 0; }\n"));
    assert_true(is_async(*state, "#include <only.h>\nint f(void) { return aw_block_on(g()); }\n"));
    assert_true(is_async(*state, "#include <api.h>\nint f(void) { return 0; }\n"));
    assert_true(is_async(*state, "#include <nested.h>\n"));
    assert_true(is_async(*state, "#include <macro.h>\nTASK f(void) { return 0; }\n"));
    assert_true(is_async(*state, "#include <next.h>\n"));
    assert_true(is_async(*state, "#/**/include <api.h>\n"));
}

static void computed_includes_are_followed(void **state)
{
    assert_true(is_async(*state, "#define H <api.h>\n#include H\n"));
    assert_false(is_async(*state, "#define H <plain.h>\n#include H\n"));
    assert_true(is_async(*state, "#include UNKNOWN\nint f(void) { await g(); }\n"));
    assert_false(is_async(*state, "#include UNKNOWN\nint f(void) { }\n"));
}

static void a_header_that_is_not_found_may_be_anything(void **state)
{
    assert_true(is_async(*state, "#include <nosuch.h>\nasync int f(void) { return 0; }\n"));
    assert_false(is_async(*state, "#include <nosuch.h>\nint f(void) { return 0; }\n"));
    assert_false(is_async(*state, "#include <stdatomic.h>\nint async;\n"));
}

static void headers_with_definitions_are_listed(void **state)
{
    struct prescan p = scan(*state, "a.c", "#include <defs.h>\n#include <api.h>\n");
    assert_int_equal(p.async_headers.count, 1);
    assert_string_equal(p.async_headers.at[0], "inc/defs.h");
}

static void leaves_count_as_keywords_do(void **state)
{
    arena *mem = *state;
    include_search search = include_search_in(mem);
    search.own_dir = "own";
    const char *calls = "#include <awaitc.h>\nvoid f(void) { aw_nap(3); }\n";
    struct prescan p = prescan_unit(&search, "a.c", sv_from(calls));
    assert_true(p.names_async && p.names_leaf);
    p = prescan_unit(&search, "a.c", SV("#include <awaitc.h>\n#define NAP() aw_nap(3)\n"));
    assert_true(p.names_leaf);
    p = prescan_unit(&search, "a.c", SV("#include <awaitc.h>\nvoid f(void) { aw_plain(3); }\n"));
    assert_false(p.names_async || p.names_leaf);
    p = prescan_unit(&search, "a.c", SV("void f(void) { aw_nap(3); }\n"));
    assert_false(p.names_async || p.names_leaf);
}

static void clashes_of_quoted_names_are_told(void **state)
{
    assert_true(scan(*state, "src/a.c", "#include <asks.h>\n").quotes_clash);
    assert_false(scan(*state, "inc/a.c", "#include <asks.h>\n").quotes_clash);
    assert_false(scan(*state, "src/a.c", "#include \"util.h\"\n").quotes_clash);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(plain_sources_are_told),
        TEST(async_sources_are_told),
        TEST(computed_includes_are_followed),
        TEST(a_header_that_is_not_found_may_be_anything),
        TEST(headers_with_definitions_are_listed),
        TEST(leaves_count_as_keywords_do),
        TEST(clashes_of_quoted_names_are_told),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
