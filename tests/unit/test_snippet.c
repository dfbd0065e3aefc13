/* SPDX-License-Identifier: MIT */
/* What do lines of files look like below a message, whatever their bytes are? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyzer/base/arena.h"
#include "analyzer/diag/snippet.h"
#include "analyzer/source/source_cache.h"

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

static const char *shown(strview line, uint32_t column, uint32_t end_column)
{
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);
    assert_non_null(to);
    struct snippet s = {line, 7, column, end_column};
    snippet_print(to, &s, false);
    fclose(to);
    const char *copy = arena_strndup(mem, text, len);
    free(text);
    return copy;
}

static void caret_alone_and_with_an_underline(void **state)
{
    (void)state;
    assert_string_equal(shown(SV("x = read(fd);"), 5, 0), "    7 | x = read(fd);\n      |     ^\n");
    assert_string_equal(shown(SV("x = read(fd);"), 5, 9),
                        "    7 | x = read(fd);\n      |     ^~~~\n");
}

static void no_caret_without_a_column_or_behind_the_line(void **state)
{
    (void)state;
    assert_string_equal(shown(SV("ab"), 0, 0), "    7 | ab\n");
    assert_string_equal(shown(SV("ab"), 4, 0), "    7 | ab\n");
    assert_string_equal(shown(SV("ab"), 3, 9), "    7 | ab\n      |   ^\n");
}

static void tabs_are_repeated_and_wide_characters_take_two_columns(void **state)
{
    (void)state;
    assert_string_equal(shown(SV("\tf(\"\xe4\xb8\xad\", x);"), 10, 0),
                        "    7 | \tf(\"\xe4\xb8\xad\", x);\n      | \t       ^\n");
    assert_string_equal(shown(SV("\xe4\xb8\xad\xe4\xb8\xad"), 1, 4),
                        "    7 | \xe4\xb8\xad\xe4\xb8\xad\n      | ^~\n");
}

static void what_steers_a_terminal_is_blanked(void **state)
{
    (void)state;
    assert_string_equal(shown(SV("a\033[1mb\xff\xc2\x9b"
                                 "c"),
                              0, 0),
                        "    7 | a [1mb\xef\xbf\xbd c\n");
}

static void of_a_long_line_the_part_around_the_caret_is_shown(void **state)
{
    (void)state;
    char *line = arena_alloc(mem, 5000);
    memset(line, 'x', 5000);
    line[3000] = 'C';
    const char *text = shown((strview){line, 5000}, 3001, 3003);
    assert_true(strlen(text) < 700);
    const char *c = strchr(text, 'C');
    const char *caret = strstr(text, "^~\n");
    assert_non_null(c);
    assert_non_null(caret);
    const char *second = strchr(text, '\n') + 1;
    assert_int_equal(c - text, caret - second);
    assert_non_null(strstr(text, "| ...x"));
    assert_non_null(strstr(text, "x...\n"));
}

static void lines_of_a_file_by_number_and_offset(void **state)
{
    (void)state;
    char path[] = "source_cache_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "one\r\ntwo\n\nlast", 14), 14);
    close(fd);
    source_cache *cache = source_cache_new(mem);
    strview line;
    assert_int_equal(source_cache_line_count(cache, path), 4);
    assert_true(source_cache_line(cache, path, 1, &line) && sv_is(line, "one"));
    assert_true(source_cache_line(cache, path, 2, &line) && sv_is(line, "two"));
    assert_true(source_cache_line(cache, path, 3, &line) && sv_is(line, ""));
    assert_true(source_cache_line(cache, path, 4, &line) && sv_is(line, "last"));
    assert_false(source_cache_line(cache, path, 5, &line));
    assert_false(source_cache_line(cache, path, 0, &line));
    assert_int_equal(source_cache_line_at(cache, path, 0), 1);
    assert_int_equal(source_cache_line_at(cache, path, 4), 1);
    assert_int_equal(source_cache_line_at(cache, path, 5), 2);
    assert_int_equal(source_cache_line_at(cache, path, 99), 4);
    unlink(path);
    assert_true(source_cache_line(cache, path, 1, &line)); /* read once */
}

static void many_files_and_those_that_cannot_be_read(void **state)
{
    (void)state;
    source_cache *cache = source_cache_new(mem);
    strview text;
    for (int i = 0; i < 300; i++)
        assert_false(source_cache_text(cache, arena_printf(mem, "no/such/%d", i), &text));
    assert_false(source_cache_text(cache, "no/such/5", &text));
    assert_false(source_cache_text(cache, ".", &text));
    assert_int_equal(source_cache_line_count(cache, "no/such/5"), 0);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(caret_alone_and_with_an_underline),
        CASE(no_caret_without_a_column_or_behind_the_line),
        CASE(tabs_are_repeated_and_wide_characters_take_two_columns),
        CASE(what_steers_a_terminal_is_blanked),
        CASE(of_a_long_line_the_part_around_the_caret_is_shown),
        CASE(lines_of_a_file_by_number_and_offset),
        CASE(many_files_and_those_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
