/* SPDX-License-Identifier: MIT */
/*
 * Which functions may a call through a pointer reach: by stores to fields and globals, tables,
 * parameters, over sources? And which function becomes a callback of a loop?
 */
#include "tests/unit/program_fixture.h"

/* The callees of the only call of `f` that goes through a pointer, by name, sorted. */
static const char *callees_of(struct joined *j, const char *name)
{
    program_function *f = function_of(j, name);
    strbuf out = strbuf_in(j->mem);
    for (uint32_t i = 0; i < f->call_count; i++) {
        const struct program_call *call = &f->calls[i];
        if (call->fact->callee_kind == CALLEE_NAME)
            continue;
        uint32_t count;
        program_function **all = program_functions(j->p, &count);
        for (uint32_t k = 0; k < count; k++) {
            for (uint32_t n = 0; n < call->callee_count; n++) {
                if (call->callees[n] == all[k])
                    strbuf_fmt(&out, "%s%s", out.len == 0 ? "" : " ", all[k]->fact->name);
            }
        }
    }
    return strbuf_text(&out);
}

#define TWO "int a(int x) { return x; } int b(int x) { return -x; }\n"

static const struct {
    const char *text, *callees;
} rows[] = {
    {TWO "struct o { int (*op)(int); }; static struct o o = { a };\n"
         "void f(void) { o.op(1); }",
     "a"},
    {TWO "struct o { int (*op)(int); }; static struct o o[] = { { a }, { .op = b } };\n"
         "void f(struct o *p) { p->op(1); }",
     "a b"},
    {TWO "struct o { int (*op)(int), (*other)(int); };\n"
         "void init(struct o *p) { p->op = a; p->other = b; } void f(struct o *p) { p->op(1); }",
     "a"},
    {TWO "static int (*hook)(int); void set(void) { hook = b; } void f(void) { hook(1); }", "b"},
    {TWO "static int (*hook)(int) = a; void set(void) { hook = b; } void f(void) { (*hook)(1); }",
     "a b"},
    {TWO "static void f(int (*op)(int)) { op(1); } void g(void) { f(a); } void h(void) { f(b); }",
     "a b"},
    {TWO "static int (*const table[])(int) = { a, b }; void f(int i) { table[i](1); }", "a b"},
    {TWO "struct o { int (*op)(int); }; static void set(struct o *o, int (*op)(int)) { o->op = op; "
         "}\nvoid g(struct o *o) { set(o, b); } void f(struct o *o) { o->op(1); }",
     "b"},
    {TWO "void f(int (*op)(int)) { op(1); }", ""},
};

static void targets_of_pointers(void **state)
{
    struct joined *j = *state;
    for (size_t i = 0; i < COUNTOF(rows); i++) {
        j->units.count = 0;
        join(j, rows[i].text);
        const char *got = callees_of(j, "f");
        if (strcmp(got, rows[i].callees) != 0)
            fail_msg("%s\n  got '%s', expected '%s'", rows[i].text, got, rows[i].callees);
    }
}

static void a_store_in_another_source_counts(void **state)
{
    struct joined *j = *state;
    add_source(j, "a.c", "struct o { int (*op)(int); }; int f(struct o *o) { return o->op(1); }");
    add_source(j, "b.c",
               "struct o { int (*op)(int); }; static int local(int x) { return x; }\n"
               "void init(struct o *o) { o->op = local; }");
    join(j, NULL);
    assert_string_equal(callees_of(j, "f"), "local");
}

static void callbacks_run_on_loops(void **state)
{
    struct joined *j = *state;
    join(j, "void event_set(void *, int, short, void (*)(int, short, void *), void "
            "*);\n"
            "static void deeper(void) {} static void on_event(int fd, short what, void *arg) { "
            "deeper(); }\n"
            "static void other(int fd, short what, void *arg) { deeper(); }\n"
            "void start(void *ev) { event_set(ev, 3, 2, on_event, 0); } void f(void) { other(1, 2, "
            "0); }");
    assert_true(function_of(j, "on_event")->is_root);
    assert_true(function_of(j, "on_event")->contexts & CONTEXT_LOOP);
    assert_true(function_of(j, "deeper")->contexts & CONTEXT_LOOP);
    assert_false(function_of(j, "other")->contexts & CONTEXT_LOOP);
    assert_false(function_of(j, "start")->contexts & CONTEXT_LOOP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM_TEST(targets_of_pointers),
        PROGRAM_TEST(a_store_in_another_source_counts),
        PROGRAM_TEST(callbacks_run_on_loops),
    };
    return cmocka_run_group_tests_name("pointers", tests, NULL, NULL);
}
