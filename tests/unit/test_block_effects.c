/* SPDX-License-Identifier: MIT */
/*
 * What may a function wait for, and on which way: over several calls, pointers and sources, with
 * the values of that way? Each row asks the effects of `f`, written as the chain down to the leaf.
 */
#include "tests/unit/program_fixture.h"

static const char *effects_of(struct joined *j, const char *name)
{
    uint32_t count;
    struct effect *const *effects = block_effects_of(function_of(j, name), &count);
    strbuf out = strbuf_in(j->mem);
    for (uint32_t i = 0; i < count; i++) {
        strbuf_str(&out, i == 0 ? "" : "; ");
        for (const struct effect *e = effects[i]; e != NULL; e = e->next) {
            const struct fact_call *fact = e->call->fact;
            bool is_named = fact->callee_kind == CALLEE_NAME;
            strbuf_fmt(&out, "%s%s", e == effects[i] ? "" : " > ", is_named ? fact->callee : "*");
        }
        strbuf_str(&out, effects[i]->depends ? " depends" : "");
        strbuf_str(&out, effects[i]->is_weak ? " weak" : "");
    }
    return strbuf_text(&out);
}

static const struct {
    const char *text, *effects;
} rows[] = {
    {"void f(void) { sleep(1); }", "sleep"},
    {"void f(void) { close(1); }", ""},
    {"static void g(void) { sleep(1); } void f(void) { g(); }", "g > sleep"},
    {"static void h(void) { fsync(3); } static void g(void) { h(); } void f(void) { g(); }",
     "g > h > fsync"},
    {"static void w(struct pollfd *p, int t) { poll(p, 1, t); } void f(struct pollfd *p) { w(p, "
     "0); }",
     ""},
    {"static void w(struct pollfd *p, int t) { poll(p, 1, t); } void f(struct pollfd *p) { w(p, "
     "9); }",
     "w > poll"},
    {"void f(struct pollfd *p, int t) { poll(p, 1, t); }", "poll depends weak"},
    {"static void g(int on) { if (on) sleep(1); } void f(void) { g(0); }", ""},
    {"static void g(int on) { if (on) sleep(1); } void f(void) { g(1); }", "g > sleep"},
    {"static void g(void) { sleep(1); } struct o { void (*op)(void); }; static struct o o = { g "
     "};\n"
     "void f(void) { o.op(); }",
     "* > sleep"},
    {"static void g(int n) { if (n) g(n - 1); else sleep(1); } void f(void) { g(3); }",
     "g > g > sleep"},
};

static void chains_of_effects(void **state)
{
    struct joined *j = *state;
    for (size_t i = 0; i < COUNTOF(rows); i++) {
        j->units.count = 0;
        join(j, rows[i].text);
        block_effects_compute(j->p);
        const char *got = effects_of(j, "f");
        if (strcmp(got, rows[i].effects) != 0)
            fail_msg("%s\n  got '%s', expected '%s'", rows[i].text, got, rows[i].effects);
    }
}

static void effects_cross_sources(void **state)
{
    struct joined *j = *state;
    add_source(j, "a.c", "void far_away(void); void f(void) { far_away(); }");
    add_source(j, "b.c", "void far_away(void) { sleep(2); }");
    add_source(j, "c.c", "static void far_away(void) { fsync(2); } void g(void) { far_away(); }");
    join(j, NULL);
    block_effects_compute(j->p);
    assert_string_equal(effects_of(j, "f"), "far_away > sleep");
    assert_string_equal(effects_of(j, "g"), "far_away > fsync");
}

static void calls_have_effects_in_order(void **state)
{
    struct joined *j = *state;
    join(j, "static void deep(void) { sleep(1); }\n"
            "static void g(int fd, char *b) { recv(fd, b, 1, 0); deep(); }\n"
            "void f(int fd, char *b) { g(fd, b); }");
    block_effects_compute(j->p);
    uint32_t count;
    struct effect **e = block_effects_of_call(j->mem, j->p, call_of(j, "g", 0), &count);
    assert_int_equal(count, 2);
    assert_string_equal(e[0]->leaf->fact->callee, "sleep"); /* sure, though longer */
    assert_string_equal(e[1]->leaf->fact->callee, "recv");
    assert_true(e[1]->is_weak);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM_TEST(chains_of_effects),
        PROGRAM_TEST(effects_cross_sources),
        PROGRAM_TEST(calls_have_effects_in_order),
    };
    return cmocka_run_group_tests_name("block_effects", tests, NULL, NULL);
}
