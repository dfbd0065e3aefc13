/* SPDX-License-Identifier: MIT */
/* What do people see of a sink: order, repeats, notes, source lines and carets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyzer/diag/diag.h"

struct fixture {
    arena *mem;
    diag_sink *sink;
    char path[32]; /* of a source file that the case writes */
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    if (f == NULL)
        return -1;
    f->mem = arena_create();
    f->sink = diag_sink_new(f->mem);
    strcpy(f->path, "diag_source_XXXXXX");
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    arena_destroy(&f->mem);
    unlink(f->path);
    free(f);
    return 0;
}

static void write_source(struct fixture *f, const char *text)
{
    int fd = mkstemp(f->path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

/* All that the sink prints, with the name of the source file replaced by "F". */
static const char *printed(struct fixture *f, bool colour)
{
    char *text = NULL;
    size_t len = 0;
    FILE *to = open_memstream(&text, &len);
    assert_non_null(to);
    diag_print(f->sink, to, colour);
    fclose(to);
    char *copy = arena_strndup(f->mem, text, len);
    free(text);
    for (char *at = strstr(copy, f->path); at != NULL; at = strstr(at, f->path)) {
        *at++ = 'F';
        memmove(at, at + strlen(f->path) - 1, strlen(at + strlen(f->path) - 1) + 1);
    }
    return copy;
}

static struct diag_place at(const char *file, uint32_t line, uint32_t column)
{
    return (struct diag_place){file, line, column};
}

static void nothing_reported_prints_nothing(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(printed(f, false), "");
    assert_int_equal(diag_error_count(f->sink), 0);
}

static void reports_are_sorted_by_file_of_first_report_then_place(void **state)
{
    struct fixture *f = *state;
    diag_report(f->sink, DIAG_DEFER, at("z.c", 9, 1), "one");
    diag_report(f->sink, DIAG_DEFER, at("a.c", 1, 1), "two");
    diag_report(f->sink, DIAG_DEFER, at("z.c", 2, 7), "three");
    diag_report(f->sink, DIAG_DEFER, at("z.c", 2, 3), "four");
    diag_report(f->sink, DIAG_SETJMP, at("z.c", 2, 3), "five");
    assert_string_equal(printed(f, false), "z.c:2:3: error: four [awaitc-defer]\n"
                                           "z.c:2:3: error: five [awaitc-setjmp]\n"
                                           "z.c:2:7: error: three [awaitc-defer]\n"
                                           "z.c:9:1: error: one [awaitc-defer]\n"
                                           "a.c:1:1: error: two [awaitc-defer]\n");
    assert_int_equal(diag_error_count(f->sink), 5);
}

static void a_repeat_is_dropped_with_its_notes(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 2; i++) {
        diag_report(f->sink, DIAG_SETJMP, at("a.c", 1, 2), "'%s' returns twice", "setjmp");
        diag_note(f->sink, at("b.h", 3, 4), "declared here");
    }
    diag_report(f->sink, DIAG_SETJMP, at("a.c", 1, 2), "another text");
    assert_int_equal(diag_error_count(f->sink), 2);
    assert_string_equal(printed(f, false),
                        "a.c:1:2: error: 'setjmp' returns twice [awaitc-setjmp]\n"
                        "b.h:3:4: note: declared here\n"
                        "a.c:1:2: error: another text [awaitc-setjmp]\n");
}

static void places_without_file_line_or_column(void **state)
{
    struct fixture *f = *state;
    diag_report(f->sink, DIAG_USAGE, at(NULL, 0, 0), "no command");
    diag_report(f->sink, DIAG_INPUT, at("gone.c", 0, 0), "cannot be read");
    diag_report(f->sink, DIAG_PARSE, at("gone.c", 4, 0), "no column");
    assert_string_equal(printed(f, false), "awaitc: error: no command [awaitc-usage]\n"
                                           "gone.c: error: cannot be read [awaitc-input]\n"
                                           "gone.c:4: error: no column [awaitc-parse]\n");
}

static void caret_follows_tabs_and_counts_characters(void **state)
{
    struct fixture *f = *state;
    write_source(f, "first\n\tg(\"\xc3\xa9\xe2\x82\xac\", x);\r\nlast");
    diag_report(f->sink, DIAG_PARSE, at(f->path, 2, 12), "here");
    diag_report(f->sink, DIAG_PARSE, at(f->path, 3, 5), "at the end of the text");
    assert_string_equal(printed(f, false), "F:2:12: error: here [awaitc-parse]\n"
                                           "    2 | \tg(\"\xc3\xa9\xe2\x82\xac\", x);\n"
                                           "      | \t       ^\n"
                                           "F:3:5: error: at the end of the text [awaitc-parse]\n"
                                           "    3 | last\n"
                                           "      |     ^\n");
}

static void a_source_line_cannot_steer_the_terminal(void **state)
{
    struct fixture *f = *state;
    write_source(f, "a\033[2Jb\n");
    diag_report(f->sink, DIAG_PARSE, at(f->path, 1, 1), "here");
    assert_string_equal(printed(f, false), "F:1:1: error: here [awaitc-parse]\n"
                                           "    1 | a [2Jb\n"
                                           "      | ^\n");
}

static void places_that_the_file_does_not_have(void **state)
{
    struct fixture *f = *state;
    write_source(f, "one\n");
    diag_report(f->sink, DIAG_PARSE, at(f->path, 1, 40), "beyond the line");
    diag_report(f->sink, DIAG_PARSE, at(f->path, 2, 1), "beyond the file");
    assert_string_equal(printed(f, false), "F:1:40: error: beyond the line [awaitc-parse]\n"
                                           "    1 | one\n"
                                           "F:2:1: error: beyond the file [awaitc-parse]\n");
}

static void colour_marks_place_severity_and_caret(void **state)
{
    struct fixture *f = *state;
    write_source(f, "x\n");
    diag_report(f->sink, DIAG_PARSE, at(f->path, 1, 1), "here");
    diag_note(f->sink, at("b.c", 2, 3), "there");
    assert_string_equal(printed(f, true),
                        "\033[1mF:1:1:\033[0m \033[1;31merror: \033[0mhere [awaitc-parse]\n"
                        "    1 | x\n"
                        "      | \033[1;32m^\033[0m\n"
                        "\033[1mb.c:2:3:\033[0m \033[1;36mnote: \033[0mthere\n");
}

static void ids_are_found_with_and_without_prefix(void **state)
{
    (void)state;
    assert_string_equal(diag_id_text(DIAG_MISSING_AWAIT), "awaitc-missing-await");
    assert_int_equal(diag_id_find("awaitc-missing-await"), DIAG_MISSING_AWAIT);
    assert_int_equal(diag_id_find("missing-await"), DIAG_MISSING_AWAIT);
    assert_int_equal(diag_id_find("missing"), DIAG_ID_COUNT);
    assert_int_equal(diag_id_find(""), DIAG_ID_COUNT);
    for (enum diag_id id = 0; id < DIAG_ID_COUNT; id++)
        assert_int_equal(diag_id_find(diag_id_text(id)), id);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest cases[] = {
        CASE(nothing_reported_prints_nothing),
        CASE(reports_are_sorted_by_file_of_first_report_then_place),
        CASE(a_repeat_is_dropped_with_its_notes),
        CASE(places_without_file_line_or_column),
        CASE(caret_follows_tabs_and_counts_characters),
        CASE(a_source_line_cannot_steer_the_terminal),
        CASE(places_that_the_file_does_not_have),
        CASE(colour_marks_place_severity_and_caret),
        CASE(ids_are_found_with_and_without_prefix),
    };
    return cmocka_run_group_tests_name("diag", cases, NULL, NULL);
}
