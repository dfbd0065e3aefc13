/* SPDX-License-Identifier: MIT */
/* What do people see of findings in a terminal? */
#include "tests/unit/report_fixture.h"

#include "analyzer/report/render.h"

static const char *shown(struct report_fixture *f, bool colour)
{
    struct render_context cx = {
        .mem = f->mem, .sources = f->sources, .root = "/proj", .colour = colour};
    struct printed p;
    print_start(&p);
    renderer_find("text")->write(p.to, &f->list, &cx);
    return print_end(&p, f->mem);
}

static void a_finding_with_its_line_underline_and_chain(void **state)
{
    struct report_fixture *f = *state;
    write_text("io.c", "void g(int fd)\n{\n\tflush(fd);\n}\n");
    write_text("log.c", "void flush(int fd) { fsync(fd); }\r\n");
    struct finding *x = add(f, "io.c", 3, 2, "'flush' waits for the disk");
    x->end_column = 7;
    add_step(f, x, (struct diag_place){"log.c", 1, 22}, "flush", "'flush' calls 'fsync'");
    assert_string_equal(shown(f, false),
                        "io.c:3:2: warning: 'flush' waits for the disk [awaitc-blocking-call]\n"
                        "    3 | \tflush(fd);\n"
                        "      | \t^~~~~\n"
                        "log.c:1:22: note: 'flush' calls 'fsync'\n"
                        "    1 | void flush(int fd) { fsync(fd); }\n"
                        "      |                      ^\n");
}

static void places_without_file_line_column_or_source(void **state)
{
    struct report_fixture *f = *state;
    add(f, NULL, 0, 0, "a");
    add(f, "none.c", 0, 0, "b");
    add(f, "none.c", 4, 0, "c")->severity = DIAG_ERROR;
    add(f, "none.c", 4, 9, "d")->severity = DIAG_NOTE;
    assert_string_equal(shown(f, false), "awaitc: warning: a [awaitc-blocking-call]\n"
                                         "none.c: warning: b [awaitc-blocking-call]\n"
                                         "none.c:4: error: c [awaitc-blocking-call]\n"
                                         "none.c:4:9: note: d [awaitc-blocking-call]\n");
}

static void paths_are_relative_to_the_root_and_tidy(void **state)
{
    struct report_fixture *f = *state;
    static const char *const pairs[][2] = {
        {"/proj/src/a.c", "src/a.c"},  {"/project/a.c", "/project/a.c"},
        {"./a/../b/./c.c", "b/c.c"},   {"../../x.c", "../../x.c"},
        {"a/../../x.c", "../x.c"},     {"/../usr//x.h", "/usr/x.h"},
        {"/proj/x/../../y.h", "/y.h"}, {"/proj/./lib/../src/a.c", "src/a.c"}};
    struct render_context cx = {.mem = f->mem, .root = "/proj"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_string_equal(render_path(&cx, pairs[i][0]), pairs[i][1]);
    cx.root = NULL;
    assert_string_equal(render_path(&cx, "/proj/a.c"), "/proj/a.c");
}

static void colour_on_request(void **state)
{
    struct report_fixture *f = *state;
    add(f, "none.c", 4, 9, "d");
    assert_string_equal(shown(f, true), "\033[1mnone.c:4:9:\033[0m \033[1;35mwarning:\033[0m d "
                                        "[awaitc-blocking-call]\n");
}

static void formats_are_found_by_name(void **state)
{
    struct report_fixture *f = *state;
    assert_non_null(renderer_find("text"));
    assert_null(renderer_find("texts"));
    assert_contains(renderer_names(f->mem), "text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REPORT_CASE(a_finding_with_its_line_underline_and_chain),
        REPORT_CASE(places_without_file_line_column_or_source),
        REPORT_CASE(paths_are_relative_to_the_root_and_tidy),
        REPORT_CASE(colour_on_request),
        REPORT_CASE(formats_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
