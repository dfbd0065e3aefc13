/* SPDX-License-Identifier: MIT */
/*
 * In which mode is a descriptor, by what made it and what switched it, through fields, globals,
 * parameters and results, over several functions and sources? Each row asks at its call `ask(...)`.
 */
#include "analyzer/program/fd_modes.h"
#include "tests/unit/program_fixture.h"

static const char *const mode_words[] = {[FD_UNKNOWN] = "unknown", [FD_NONBLOCKING] = "nonblocking",
                                         [FD_WATCHED] = "watched", [FD_BLOCKING] = "blocking",
                                         [FD_FILE] = "file",       [FD_OF_CALLER] = "caller's"};

static const struct {
    const char *text, *mode;
} rows[] = {
    {"void f(int s) { ask(accept(s, 0, 0)); }", "blocking"},
    {"void f(int s) { ask(accept4(s, 0, 0, 2048)); }", "nonblocking"},
    {"void f(int s) { ask(accept4(s, 0, 0, 524288)); }", "blocking"},
    {"void f(void) { int fd = socket(2, 1 | 2048, 0); ask(fd); }", "nonblocking"},
    {"void f(void) { int fd = socket(2, 1, 0); ask(fd); }", "blocking"},
    {"void f(void) { int fd = socket(2, 1, 0); fcntl(fd, 4, 2048); ask(fd); }", "nonblocking"},
    {"void f(void) { int fd = socket(2, 1, 0); fcntl(fd, 4, fcntl(fd, 3, 0) | 2048); ask(fd); }",
     "nonblocking"},
    {"void f(void) { int fd = socket(2, 1, 0); fcntl(fd, 2, 1); ask(fd); }", "blocking"},
    {"void nb(int fd) { fcntl(fd, 4, 2048); } void f(void) { int fd = socket(2, 1, 0); nb(fd); "
     "ask(fd); }",
     "nonblocking"},
    {"int mk(void) { return socket(2, 1 | 2048, 0); } void f(void) { int fd = mk(); ask(fd); }",
     "nonblocking"},
    {"struct c { int fd; }; void init(struct c *c) { c->fd = socket(2, 1 | 2048, 0); }\n"
     "void f(struct c *c) { ask(c->fd); }",
     "nonblocking"},
    {"struct c { int fd; }; void init(struct c *c) { c->fd = socket(2, 1, 0); }\n"
     "void f(struct c *c) { ask(c->fd); }",
     "blocking"},
    {"static int s; void init(void) { s = socket(2, 1, 0); fcntl(s, 4, 2048); }\n"
     "void f(void) { ask(s); }",
     "nonblocking"},
    {"void f(int fd) { ask(fd); } void g(void) { f(socket(2, 1, 0)); }", "blocking"},
    {"void f(int fd) { ask(fd); } void g(void) { f(socket(2, 1 | 2048, 0)); }", "nonblocking"},
    {"void f(int fd) { ask(fd); }", "unknown"},
    {"void f(void) { int p[2]; pipe2(p, 2048); ask(p[0]); }", "nonblocking"},
    {"void f(void) { ask(open(\"log\", 1)); }", "file"},
};

static void modes_of_descriptors(void **state)
{
    struct joined *j = *state;
    for (size_t i = 0; i < COUNTOF(rows); i++) {
        j->units.count = 0;
        join(j, rows[i].text);
        fd_modes_prepare(j->p);
        struct bound_value v = asked(j, 0);
        const char *got = mode_words[fd_mode_of(j->p, &v)];
        if (strcmp(got, rows[i].mode) != 0)
            fail_msg("%s\n  got %s, expected %s", rows[i].text, got, rows[i].mode);
    }
}

static void a_mode_set_in_another_source_counts(void **state)
{
    struct joined *j = *state;
    add_source(j, "a.c", "struct c { int fd; }; void f(struct c *c) { ask(c->fd); }");
    add_source(j, "b.c",
               "struct c { int fd; }; void g(struct c *c) { c->fd = socket(2, 2049, 0); }");
    join(j, NULL);
    fd_modes_prepare(j->p);
    struct bound_value v = asked(j, 0);
    assert_int_equal(fd_mode_of(j->p, &v), FD_NONBLOCKING);
}

static void a_parameter_by_itself_is_the_callers(void **state)
{
    struct joined *j = *state;
    join(j, "void f(int fd) { ask(fd); } void g(void) { f(socket(2, 1, 0)); }");
    fd_modes_prepare(j->p);
    struct bound_value v = asked(j, 0);
    assert_int_equal(fd_mode_here(j->p, &v), FD_OF_CALLER);
}

static void datagrams_are_told_apart(void **state)
{
    struct joined *j = *state;
    join(j, "void f(void) { int a = socket(2, 2, 0), b = socket(2, 1, 0); ask(a); ask(b); }");
    fd_modes_prepare(j->p);
    struct bound_value a = asked(j, 0), b = asked(j, 1);
    assert_true(fd_is_datagram(j->p, &a));
    assert_false(fd_is_datagram(j->p, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM_TEST(modes_of_descriptors),
        PROGRAM_TEST(a_mode_set_in_another_source_counts),
        PROGRAM_TEST(a_parameter_by_itself_is_the_callers),
        PROGRAM_TEST(datagrams_are_told_apart),
    };
    return cmocka_run_group_tests_name("fd_modes", tests, NULL, NULL);
}
