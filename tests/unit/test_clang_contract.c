/* SPDX-License-Identifier: MIT */
/*
 * Are async and plain functions kept apart, wherever a pointer to one goes? Each line of a case
 * that is wrong ends in a comment that says how: the findings must be those, and no others.
 */
#include "clang_fixture.h"

#include <stdio.h>

#define UNIT                                                                                       \
    MARKS "typedef __awaitc_async__ int (*handler)(int);\n"                                        \
          "typedef int (*plain)(int);\n"                                                           \
          "struct ops { int n[2]; handler h; plain p; struct { handler ih; plain ip; };\n"         \
          "  unsigned : 3; handler t[2]; };\n"                                                     \
          "union either { handler h; plain p; };\n"                                                \
          "__awaitc_async__ int a(int);\n"                                                         \
          "int p(int);\n"                                                                          \
          "#define SET(to, from) ((to) = (from))\n"

/* ---- support -------------------------------------------------------------------------------- */

static const char *const names[] = {
    [FINDING_PLAIN_TO_ASYNC] = "plain",
    [FINDING_ASYNC_TO_PLAIN] = "async",
    [FINDING_ARMS] = "arms",
    [FINDING_CALL] = "call",
    [FINDING_CLEANUP] = "cleanup",
    [FINDING_RESULT] = "result",
    [FINDING_OBJECT] = "object",
};

static uint32_t line_of(strview text, uint32_t offset)
{
    uint32_t line = 1;
    for (uint32_t i = 0; i < offset; i++)
        line += text.at[i] == '\n';
    return line;
}

/* "12 plain\n" for each finding, in order of the lines. */
static const char *found_in(struct unit *t)
{
    uint32_t count;
    const struct clang_finding *f = clang_unit_contract(t->clang, &count);
    const char *all = "";
    uint32_t lines = line_of(t->buffer, (uint32_t)t->buffer.len);
    for (uint32_t line = 1; line <= lines; line++) {
        for (uint32_t i = 0; i < count; i++) {
            assert_int_not_equal(f[i].offset, UINT32_MAX);
            if (line_of(t->buffer, f[i].offset) == line)
                all = arena_printf(t->mem, "%s%u %s\n", all, line, names[f[i].kind]);
        }
    }
    return all;
}

/* The same from the comments: a line may say several words. */
static const char *stated_in(struct unit *t)
{
    const char *all = "";
    for (size_t at = 0; at < t->buffer.len; at++) {
        if (strncmp(t->buffer.at + at, "//", 2) != 0)
            continue;
        uint32_t line = line_of(t->buffer, (uint32_t)at);
        const char *word = t->buffer.at + at + 2;
        while (*word == ' ') {
            size_t len = strcspn(++word, " \n");
            all = arena_printf(t->mem, "%s%u %.*s\n", all, line, (int)len, word);
            word += len;
        }
    }
    return all;
}

static void check(const char *text)
{
    struct unit t = unit_of(text);
    assert_string_equal(found_in(&t), stated_in(&t));
    done(&t);
}

/* ---- cases ---------------------------------------------------------------------------------- */

static void initialisers_are_matched_with_their_objects(void **state)
{
    (void)state;
    check(UNIT "struct ops elided = {1, 2, a, p, a, p, a, a};\n"
               "struct ops wrong = {1, 2,\n"
               "p, // plain\n"
               "a, // async\n"
               "p, // plain\n"
               "a, // async\n"
               "a,\n"
               "p}; // plain\n"
               "struct ops named = {.p = p, .ih = a, .t[1] = a, .n = {1}, a, p, a};\n"
               "struct ops named_wrong = {.p = a, // async\n"
               ".ip = a, // async\n"
               ".t = {a, p}}; // plain\n"
               "struct ops many[] = {{{1}, a, p}, [2 ... 3].p = p, [5] = {.h = p}}; // plain\n"
               "union either u = {a}, v = {p}, w = {.p = a}; // plain async\n"
               "handler list[] = {a, [3 ... 4] = p, 0}; // plain\n"
               "__awaitc_async__ int (*spelled[])(int) = {a, p}; // plain\n"
               "int (**through)(int) = list; // async\n"
               "handler scalar = {a};\n"
               "struct ops *literal = &(struct ops){.h = p}; // plain\n");
}

static void lost_places_are_left_alone(void **state)
{
    (void)state;
    check(UNIT "struct two { struct ops a; handler b; };\n"
               "struct two t = {.a.h = a, p, a}, u = {.a.h = p}; // plain\n");
}

static void values_are_followed_through_expressions(void **state)
{
    (void)state;
    check(UNIT "handler get(void) { return a; }\n"
               "plain give(int n) { return n ? p : (a); } // arms\n"
               "void f(struct ops *o, handler h, plain q, int n) {\n"
               "handler list[2], *ph = list;\n"
               "h = *ph; h = ph[1]; h = *(list + n); h = get(); h = (n, a); h = ({ n++; h; });\n"
               "h = n ? a : 0; h = h ?: a; *&h = a; o->h = h = o[n].t[1];\n"
               "q = *ph; // async\n"
               "q = ph[1]; // async\n"
               "q = *(list + n); // async\n"
               "q = get(); // async\n"
               "q = (n, a); // async\n"
               "q = ({ n++; h; }); // async\n"
               "q = n ? a : 0; // async\n"
               "h = n ? a : p; // arms\n"
               "h = h ?: p; // arms\n"
               "*&h = p; // plain\n"
               "q = o->h = a; // async\n"
               "SET(h, a); SET(q, p);\n"
               "SET(h, p); // plain\n"
               "SET(o->h, q); // plain\n"
               "}\n");
}

static void casts_count_unless_they_pass_void(void **state)
{
    (void)state;
    check(UNIT "void f(handler h, plain q) {\n"
               "h = (handler)(void *)p; q = (plain)(void *)a; void *raw = a; h = raw; q = raw;\n"
               "h = (__awaitc_async__ int (*)(int))a;\n"
               "h = (handler)p; // plain\n"
               "q = (plain)h; // async\n"
               "void (*any)(void) = (void (*)(void))a; // async\n"
               "(void)h; (void)q; (void)any; (void)(long)a; (void)(h == q);\n"
               "}\n");
}

static void types_without_a_name_follow_their_origin(void **state)
{
    (void)state;
    check(UNIT "__typeof__(a) *fp = a; handler first; __typeof__(first) second = a;\n"
               "__typeof__(first) third = p; // plain\n"
               "void f(void) {\n"
               "__auto_type h = first; h = a;\n"
               "h = p; // plain\n"
               "__typeof__(p) *q = p;\n"
               "q = a; // async\n"
               "}\n");
}

static void arguments_are_matched_with_parameters(void **state)
{
    (void)state;
    check(UNIT
          "void reg(__awaitc_async__ int (*h)(int), int (*q)(int), void *);\n"
          "void (*pointer)(__awaitc_async__ int (*h)(int), int (*q)(int));\n"
          "typedef void fn(__awaitc_async__ int (*h)(int), int (*q)(int));\n"
          "struct holder { fn *call; void (*typed)(handler, plain); };\n"
          "int old(); void many(int, ...);\n"
          "void f(struct holder *o) {\n"
          "reg(a, p, a); pointer(a, p); o->call(a, p); o->typed(a, p); old(a, p); many(1, a);\n"
          "reg(p, // plain\n"
          "a, 0); // async\n"
          "pointer(p, // plain\n"
          "a); // async\n"
          "o->call(p, // plain\n"
          "a); // async\n"
          "(*o->typed)(p, // plain\n"
          "a); // async\n"
          "}\n");
}

static void calls_count_outside_of_regions(void **state)
{
    (void)state;
    check(UNIT
          "int f(handler h, struct ops *o) {\n"
          "int n = sizeof a(1) + sizeof(h(2)) + __builtin_constant_p(a(3)); __typeof__(a(4)) m;\n"
          "handler kept = a; handler *address = &kept;\n"
          "n = a(1) + // call\n"
          "h(2) + // call\n"
          "o->h(3) + // call\n"
          "(*address)(4) + // call\n"
          "p(a(5)); // call\n"
          "int v[a(6)]; // call\n"
          "return n + m + p(7) + sizeof v;\n"
          "}\n"
          "<|__awaitc_async__ int g(void) { return __awaitc_await__ a(1) + a(2); }|>\n"
          "<|int h(void) { handler k = p; return k(1); }|> // plain\n"
          "int i(void);\n");
}

static void declarations_can_be_wrong_alone(void **state)
{
    (void)state;
    check(UNIT "__awaitc_async__ void later(int *);\n"
               "void now(int *);\n"
               "__awaitc_async__ int number; // object\n"
               "__awaitc_async__ int (*(*either)(int))(int); // result\n"
               "__awaitc_async__ int (*choose(int))(int);\n"
               "__awaitc_async__ handler fine(int);\n"
               "void f(void) {\n"
               "int x __attribute__((cleanup(now))) = 1;\n"
               "int y __attribute__((cleanup(later))) = x; // cleanup\n"
               "(void)y;\n"
               "}\n");
}

static void a_declaration_further_down_counts(void **state)
{
    (void)state;
    check(UNIT "int late(int);\n"
               "void f(void) { handler h = late; (void)h; }\n"
               "__awaitc_async__ int late(int);\n");
}

static void findings_say_what_and_where(void **state)
{
    (void)state;
    struct unit t = unit_of(UNIT "void f(handler h) { h = p; p(a(1)); }\n");
    uint32_t count;
    const struct clang_finding *f = clang_unit_contract(t.clang, &count);
    assert_int_equal(count, 2);
    assert_int_equal(f[0].place, FINDING_ASSIGNMENT);
    assert_true(sv_is(f[0].name, "p"));
    assert_ptr_equal(t.buffer.at + f[0].offset, strstr(t.buffer.at, "p; p("));
    assert_true(sv_is(f[1].name, "a"));
    assert_true(sv_is(f[1].function, "f"));
    assert_string_equal(f[1].file, "case.c");
    done(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(initialisers_are_matched_with_their_objects),
        cmocka_unit_test(lost_places_are_left_alone),
        cmocka_unit_test(values_are_followed_through_expressions),
        cmocka_unit_test(casts_count_unless_they_pass_void),
        cmocka_unit_test(types_without_a_name_follow_their_origin),
        cmocka_unit_test(arguments_are_matched_with_parameters),
        cmocka_unit_test(calls_count_outside_of_regions),
        cmocka_unit_test(declarations_can_be_wrong_alone),
        cmocka_unit_test(a_declaration_further_down_counts),
        cmocka_unit_test(findings_say_what_and_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
