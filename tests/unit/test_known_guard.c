/* SPDX-License-Identifier: MIT */
/* Which structures do the texts of guards and places become, and which texts are refused? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyzer/base/check.h"
#include "analyzer/program/known_facts.h"
#include "analyzer/program/known_guard.h"
#include "analyzer/program/known_place.h"

static arena *mem;
static known_facts *facts;

static int set_up(void **state)
{
    (void)state;
    mem = arena_create();
    facts = known_facts_new(mem);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(&mem);
    return 0;
}

static struct guard parse(const char *text)
{
    struct guard g;
    const char *error = NULL;
    if (!guard_parse(mem, facts, sv_from(text), &g, &error))
        fail_msg("%s: %s", text, error);
    return g;
}

/* The only term of a guard. */
static struct guard_term only(const char *text)
{
    struct guard g = parse(text);
    assert_int_equal(g.count, 1);
    assert_int_equal(g.alternatives[0].count, 1);
    return g.alternatives[0].terms[0];
}

static void no_text_is_the_empty_guard(void **state)
{
    (void)state;
    assert_int_equal(parse("-").count, 0);
    assert_int_equal(parse("").count, 0);
}

static void semicolons_part_alternatives_and_commas_terms(void **state)
{
    (void)state;
    struct guard g = parse("arg:3&MSG_DONTWAIT;fd:0:NB,arg:1!=2");
    assert_int_equal(g.count, 2);
    assert_int_equal(g.alternatives[0].count, 1);
    assert_int_equal(g.alternatives[1].count, 2);
    assert_int_equal(g.alternatives[1].terms[0].kind, GUARD_FD_NONBLOCK);
    assert_int_equal(g.alternatives[1].terms[1].kind, GUARD_ARG_NE);
    assert_int_equal(g.alternatives[1].terms[1].values[0].number, 2);
}

static void names_of_constants_become_numbers(void **state)
{
    (void)state;
    struct guard_term t = only("arg:3&MSG_DONTWAIT");
    assert_int_equal(t.kind, GUARD_ARG_FLAG_SET);
    assert_int_equal(t.arg, 3);
    assert_int_equal(t.values[0].kind, GUARD_VALUE_NUMBER);
    assert_int_equal(t.values[0].number, 0x40);
    assert_true(sv_is(t.values[0].text, "MSG_DONTWAIT"));
    assert_int_equal(only("arg:0==NO_SUCH_NAME").values[0].kind, GUARD_VALUE_NAME);
    assert_int_equal(only("arg:0==-1").values[0].number, -1);
}

static void several_flags_are_one_term(void **state)
{
    (void)state;
    struct guard_term t = only("arg:6!&NI_NUMERICHOST|NI_NUMERICSERV");
    assert_int_equal(t.kind, GUARD_ARG_FLAG_CLEAR);
    assert_int_equal(t.value_count, 2);
    assert_int_equal(t.values[1].number, 2);
}

static void what_an_argument_points_to(void **state)
{
    (void)state;
    struct guard_term t = only("arg:2->ai_flags&AI_NUMERICHOST");
    assert_true(sv_is(t.field, "ai_flags"));
    assert_false(t.pointee);
    t = only("*arg:2!=0");
    assert_true(t.pointee);
    assert_int_equal(t.field.len, 0);
    assert_int_equal(only("arg:4=={0,0}").values[0].kind, GUARD_VALUE_ZEROS);
}

static void strings_and_kinds_of_strings(void **state)
{
    (void)state;
    struct guard_term t = only("arg:0==\":mem;o,ry:\"");
    assert_int_equal(t.values[0].kind, GUARD_VALUE_STRING);
    assert_true(sv_is(t.values[0].text, ":mem;o,ry:"));
    assert_int_equal(only("arg:0~numeric").kind, GUARD_ARG_NUMERIC);
    assert_int_equal(only("arg:1!~name").kind, GUARD_ARG_NOT_NAME);
    t = only("arg:0~\"hostaddr=\"");
    assert_int_equal(t.kind, GUARD_ARG_CONTAINS);
    assert_true(sv_is(t.values[0].text, "hostaddr="));
}

static void set_up_calls_and_queries(void **state)
{
    (void)state;
    struct guard_term t = only("obj:0:pcap_setnonblock(1)!=0");
    assert_int_equal(t.kind, GUARD_OBJECT_SETUP);
    assert_int_equal(t.arg, 0);
    assert_true(sv_is(t.function, "pcap_setnonblock"));
    assert_int_equal(t.function_arg, 1);
    assert_int_equal(t.op, GUARD_OP_NE);
    t = only("obj:any:fmemopen");
    assert_int_equal(t.arg, GUARD_ANY);
    assert_int_equal(t.function_arg, GUARD_LAST);
    assert_int_equal(t.op, GUARD_OP_NONE);
    assert_int_equal(only("obj:0:SSL_set_fd~NB").op, GUARD_OP_NONBLOCK);
    assert_int_equal(only("obj:session:f==0").arg, GUARD_ANY);
    assert_true(sv_is(only("obj:0:nonblocking-fd").function, "SSL_set_fd"));
    assert_int_equal(only("obj:0:nonblocking-fd").op, GUARD_OP_NONBLOCK);
    assert_int_equal(only("obj:0:f(1)~numeric").op, GUARD_OP_NUMERIC);
    t = only("obj:0:f(0)~\"x\"");
    assert_int_equal(t.op, GUARD_OP_CONTAINS);
    assert_int_equal(t.function_arg, 0);
    t = only("call:XPending>0");
    assert_int_equal(t.kind, GUARD_QUERY);
    assert_int_equal(t.op, GUARD_OP_GREATER);
}

static void what_is_no_guard_is_refused_with_a_reason(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "x",          "arg",      "arg:",       "arg:x==0", "arg:100==0",      "arg:0",
        "arg:0=0",    "arg:0==",  "arg:0==\"a", "arg:0&A|", "arg:0&A|B|C|D|E", "fd:0",
        "fd:0:XX",    "fd:0:NBx", "obj:0",      "obj:0:",   "obj:0:f(",        "obj:0:f(1",
        "call:f",     "call:f==", "arg:0==1 ",  ";",        "arg:0==0;;",      ",arg:0==0",
        "arg:0->==0", "arg:0~",   "arg:0~x",    "arg:0~1",  "obj:0:f~x"};
    for (size_t i = 0; i < COUNTOF(texts); i++) {
        struct guard g;
        const char *error = NULL;
        if (guard_parse(mem, facts, sv_from(texts[i]), &g, &error))
            fail_msg("taken for a guard: %s", texts[i]);
        assert_non_null(error);
    }
}

static void places(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct known_place place;
    } cases[] = {
        {"-", {PLACE_NONE, 0, {NULL, 0}}},      {"result", {PLACE_RESULT, 0, {NULL, 0}}},
        {"2", {PLACE_ARG, 2, {NULL, 0}}},       {"last", {PLACE_ARG, GUARD_LAST, {NULL, 0}}},
        {"*0", {PLACE_POINTEE, 0, {NULL, 0}}},  {"3[]", {PLACE_ELEMENTS, 3, {NULL, 0}}},
        {"1->fd", {PLACE_FIELD, 1, {"fd", 2}}}, {".fd", {PLACE_SIBLING, 0, {"fd", 2}}},
        {"self", {PLACE_SELF, 0, {NULL, 0}}},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        struct known_place p;
        assert_true(known_place_parse(sv_from(cases[i].text), &p));
        assert_int_equal(p.kind, cases[i].place.kind);
        assert_int_equal(p.arg, cases[i].place.arg);
        assert_true(sv_equal(p.field, cases[i].place.field));
    }
    struct known_place p;
    assert_false(known_place_parse(SV("x"), &p));
    assert_false(known_place_parse(SV("*"), &p));
    assert_false(known_place_parse(SV("[]"), &p));
    assert_false(known_place_parse(SV("x->fd"), &p));
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(no_text_is_the_empty_guard),
        cmocka_unit_test(semicolons_part_alternatives_and_commas_terms),
        cmocka_unit_test(names_of_constants_become_numbers),
        cmocka_unit_test(several_flags_are_one_term),
        cmocka_unit_test(what_an_argument_points_to),
        cmocka_unit_test(strings_and_kinds_of_strings),
        cmocka_unit_test(set_up_calls_and_queries),
        cmocka_unit_test(what_is_no_guard_is_refused_with_a_reason),
        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests_name("known_guard", cases, set_up, tear_down);
}
