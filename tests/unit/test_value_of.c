/* SPDX-License-Identifier: MIT */
/*
 * Which values does the value flow of one function see, and where does it say "not known" rather
 * than guess? Each row is a function whose call `ask(...)` is looked at.
 */
#include "tests/unit/program_fixture.h"

static const char *words_of(struct joined *j, const struct bound_value *v)
{
    const struct value *is = &v->value;
    strbuf out = strbuf_in(j->mem);
    switch (is->kind) {
    case VALUE_UNKNOWN:
        strbuf_str(&out, "unknown");
        break;
    case VALUE_NUMBER:
        strbuf_fmt(&out, "%lld", (long long)is->number);
        break;
    case VALUE_STRING:
        strbuf_fmt(&out, "\"%s\"", is->text);
        break;
    case VALUE_PARAM:
        strbuf_fmt(&out, "parameter %lld", (long long)is->number);
        if (is->with != 0)
            strbuf_fmt(&out, " | %lld", (long long)is->with);
        break;
    case VALUE_KEY:
        strbuf_str(&out, is->text);
        break;
    case VALUE_ADDRESS:
        strbuf_fmt(&out, "&%s", is->text);
        break;
    case VALUE_FUNCTION:
        strbuf_fmt(&out, "function %s", is->text);
        break;
    case VALUE_RESULT:
        strbuf_fmt(&out, "result of %s", v->function->calls[is->number].fact->callee);
        break;
    case VALUE_ZEROS:
        strbuf_str(&out, "zeros");
        break;
    case VALUE_FLAGS:
        strbuf_fmt(&out, "flags %lld", (long long)is->number);
        break;
    case VALUE_CHOICE:
        strbuf_fmt(&out, "parameter %lld ? %lld : %lld", (long long)is->number, (long long)is->with,
                   (long long)is->otherwise);
        break;
    }
    if (is->key != NULL && (is->text == NULL || strcmp(is->key, is->text) != 0))
        strbuf_fmt(&out, " in %s", is->key);
    return strbuf_text(&out);
}

static const struct {
    const char *text, *value;
} rows[] = {
    {"void f(void) { ask(3 * 4 + 1); }", "13"},
    {"enum { N = 7 }; void f(void) { ask(N | 8); }", "15"},
    {"void f(void) { ask(sizeof(int)); }", "4"},
    {"void f(void) { int a = 5; ask(a); }", "5 in l:f.a"},
    {"void f(void) { int a; a = 5; ask(a); }", "5 in l:f.a"},
    {"void f(int c) { int a = 5; if (c) a = 6; ask(a); }", "l:f.a"},
    {"void f(void) { int a = 5; a++; ask(a); }", "l:f.a"},
    {"void f(void) { int a = 5; g(&a); ask(a); }", "l:f.a"},
    {"void f(void) { int a = 5, b = a; ask(b); }", "5 in l:f.a"},
    {"void f(int a, int b) { ask(b); }", "parameter 1"},
    {"void f(int a) { a = 3; ask(a); }", "l:f.a"},
    {"void f(int flags) { ask(flags | 64); }", "parameter 0 | 64"},
    {"void f(int wait) { ask(wait ? 0 : 64); }", "parameter 0 ? 0 : 64"},
    {"void f(int s) { int fd = accept(s, 0, 0); ask(fd); }", "result of accept in l:f.fd"},
    {"void f(int s) { int fd = -1; if (s) fd = accept(s, 0, 0); ask(fd); }",
     "result of accept in l:f.fd"},
    {"struct c { int fd; }; void f(struct c *c) { ask(c->fd); }", "c.fd"},
    {"struct c { int fd; }; void f(void *arg) { struct c *c = arg; ask(c->fd); }", "c.fd"},
    {"struct c { struct in { int fd; } in; }; void f(struct c *c) { ask(c->in.fd); }", "in.fd"},
    {"static int all; void f(void) { ask(all); }", "g:a.c:all"},
    {"static int all; void f(void) { ask(&all); }", "&g:a.c:all"},
    {"void g(void) {} void f(void) { ask(g); }", "function g"},
    {"void g(void) {} void f(void) { ask(&g); }", "function g"},
    {"void f(void) { ask(\"host\"); }", "\"host\""},
    {"void f(void) { ask((void *)0); }", "0"},
};

static void values_of_one_function(void **state)
{
    struct joined *j = *state;
    for (size_t i = 0; i < COUNTOF(rows); i++) {
        j->units.count = 0;
        join(j, rows[i].text);
        struct bound_value v = asked(j, 0);
        const char *got = words_of(j, &v);
        if (strcmp(got, rows[i].value) != 0)
            fail_msg("%s\n  got %s, expected %s", rows[i].text, got, rows[i].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {PROGRAM_TEST(values_of_one_function)};
    return cmocka_run_group_tests_name("value_of", tests, NULL, NULL);
}
