/* SPDX-License-Identifier: MIT */
/*
 * Does the guard of a call hold: by numbers and flags, by parameters, by descriptors' modes, by
 * what is not known? Each row is looked at where it calls `poll`, `recv`, `read`, `fcntl` or
 * `getaddrinfo`.
 */
#include "analyzer/program/fd_modes.h"
#include "tests/unit/program_fixture.h"

static const char *const answers[] = {[GUARD_FAILS] = "fails",
                                      [GUARD_HOLDS] = "holds",
                                      [GUARD_DEPENDS] = "depends",
                                      [GUARD_UNSURE] = "unsure",
                                      [GUARD_UNKNOWN] = "unknown"};

static const struct {
    const char *callee, *text, *answer;
} rows[] = {
    {"poll", "void f(struct pollfd *p) { poll(p, 1, 0); }", "holds"},
    {"poll", "void f(struct pollfd *p) { poll(p, 1, -1); }", "fails"},
    {"poll", "void f(struct pollfd *p) { int t = 0; poll(p, 1, t); }", "holds"},
    {"poll",
     "static void f(struct pollfd *p, int t) { poll(p, 1, t); }\n"
     "void g(struct pollfd *p) { f(p, 0); }",
     "depends"},
    {"poll", "int h(void); void f(struct pollfd *p) { poll(p, 1, h()); }", "unknown"},
    {"recv", "void f(int fd, char *b) { recv(fd, b, 9, 64); }", "holds"},
    {"recv", "void f(int fd, char *b) { recv(fd, b, 9, 64 | 2); }", "holds"},
    {"recv", "void f(char *b) { int fd = socket(2, 1, 0); recv(fd, b, 9, 0); }", "fails"},
    {"recv", "void f(char *b) { int fd = socket(2, 2049, 0); recv(fd, b, 9, 0); }", "holds"},
    {"recv", "void f(char *b, int flags) { int fd = socket(2, 1, 0); recv(fd, b, 9, flags | 64); }",
     "holds"},
    {"read", "void f(int s, char *b) { int fd = accept4(s, 0, 0, 2048); read(fd, b, 9); }",
     "holds"},
    {"read", "void f(int s, char *b) { int fd = accept4(s, 0, 0, 0); read(fd, b, 9); }", "fails"},
    {"fcntl", "void f(int fd, void *l) { fcntl(fd, 6, l); }", "holds"},
    {"fcntl", "void f(int fd, void *l) { fcntl(fd, 7, l); }", "fails"},
};

static const struct guard *guard_of(struct joined *j, const struct program_call *call)
{
    const struct known_blocking *row =
        known_blocking_find(j->settings.known, sv_from(call->fact->callee));
    AWC_ASSERT(row != NULL && row->guard.count != 0);
    return &row->guard;
}

static void answers_of_guards(void **state)
{
    struct joined *j = *state;
    for (size_t i = 0; i < COUNTOF(rows); i++) {
        j->units.count = 0;
        join(j, rows[i].text);
        fd_modes_prepare(j->p);
        const struct program_call *call = call_of(j, rows[i].callee, 0);
        const char *got = answers[guard_holds(j->p, call, guard_of(j, call))];
        if (strcmp(got, rows[i].answer) != 0)
            fail_msg("%s\n  got %s, expected %s", rows[i].text, got, rows[i].answer);
    }
}

/* The same call under two ways of reaching it. */
static void a_way_binds_parameters(void **state)
{
    struct joined *j = *state;
    join(j, "static void f(struct pollfd *p, int t) { poll(p, 1, t); }\n"
            "void g(struct pollfd *p) { f(p, 0); }");
    const struct program_call *call = call_of(j, "poll", 0);
    const struct guard *guard = guard_of(j, call);
    struct bound_value args[3] = {{.value = {.kind = VALUE_UNKNOWN}}};
    args[2].value = (struct value){.kind = VALUE_NUMBER, .number = 0};
    assert_int_equal(guard_holds_with(j->p, call, guard, args, 3), GUARD_HOLDS);
    args[2].value.number = 100;
    assert_int_equal(guard_holds_with(j->p, call, guard, args, 3), GUARD_FAILS);
    struct bound_value open = {call->caller, {.kind = VALUE_PARAM, .number = 1}};
    args[2] = open;
    assert_int_equal(guard_holds_with(j->p, call, guard, args, 3), GUARD_DEPENDS);
    assert_int_not_equal(guard_holds_at_last(j->p, call, guard, args, 3), GUARD_DEPENDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM_TEST(answers_of_guards),
        PROGRAM_TEST(a_way_binds_parameters),
    };
    return cmocka_run_group_tests_name("guards", tests, NULL, NULL);
}
