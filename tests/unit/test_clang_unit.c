/* SPDX-License-Identifier: MIT */
/*
 * Does the tool know of a unit what libclang knows: names of file scope, what functions are said to
 * be, errors that matter, async callees? And do the two sweeps find what disagrees?
 */
#include "clang_fixture.h"

/* ---- file scope ----------------------------------------------------------------------------- */

static void typedefs_are_known_from_their_declaration_on(void **state)
{
    (void)state;
    struct unit t = unit_of("#include <stddef.h>\ntypedef int early;\nint x;\ntypedef int late;\n");
    uint32_t before = (uint32_t)(strstr(t.buffer.at, "int x") - t.buffer.at);
    uint32_t end = (uint32_t)t.buffer.len;
    assert_true(clang_unit_is_typedef(t.clang, SV("size_t"), before));
    assert_true(clang_unit_is_typedef(t.clang, SV("early"), before));
    assert_false(clang_unit_is_typedef(t.clang, SV("late"), before));
    assert_true(clang_unit_is_typedef(t.clang, SV("late"), end));
    assert_false(clang_unit_is_typedef(t.clang, SV("x"), end));
    assert_true(clang_unit_is_typedef(t.clang, SV("__builtin_va_list"), 0));
    done(&t);
}

static void functions_gather_all_their_declarations(void **state)
{
    (void)state;
    struct unit t =
        unit_of(MARKS "__awaitc_async__ int a(int);\n"
                      "static inline int p(void) { return 1; }\n"
                      "void __attribute__((noreturn)) n1(void);\n"
                      "_Noreturn void n2(void);\n"
                      "<|__awaitc_async__ int a(int x) { return x; }|>\n"
                      "int named(void) __asm__(\"other\");\n"
                      "int need(void) __attribute__((annotate(\"awaitc::need=96\")));\n");
    expect_no_errors(&t);
    const struct clang_function *a = clang_unit_function(t.clang, SV("a"));
    assert_true(a->is_async && a->is_defined && !a->is_static && !a->is_plain_too);
    assert_int_equal(a->first_offset, strstr(t.buffer.at, "a(int)") - t.buffer.at);
    assert_int_equal(a->definition_offset, strstr(t.buffer.at, "a(int x)") - t.buffer.at);
    assert_true(type_of(&t, a->type)->is_async);
    expect_type(&t, a->type, "int _(int)", "a");
    const struct clang_function *p = clang_unit_function(t.clang, SV("p"));
    assert_true(p->is_static && p->is_inline && !p->is_async && !p->is_noreturn);
    assert_true(clang_unit_function(t.clang, SV("n1"))->is_noreturn);
    assert_true(clang_unit_function(t.clang, SV("n2"))->is_noreturn);
    assert_string_equal(clang_unit_function(t.clang, SV("named"))->asm_name, "other");
    assert_int_equal(clang_unit_function(t.clang, SV("need"))->leaf_need_bytes, 96);
    assert_null(clang_unit_function(t.clang, SV("nothing")));
    done(&t);
}

static void async_functions_come_in_order(void **state)
{
    (void)state;
    struct unit t = unit_of(MARKS "int plain(void);\n__awaitc_async__ int b(void);\n"
                                  "typedef __awaitc_async__ int fn(int);\nfn c;\n"
                                  "__awaitc_async__ int a(void);\n__awaitc_async__ int b(void);\n");
    uint32_t count;
    const struct clang_function *const *all = clang_unit_async_functions(t.clang, &count);
    assert_int_equal(count, 5);
    static const char *const names[] = {"aw_join", "aw_yield", "b", "c", "a"};
    for (uint32_t i = 0; i < count; i++)
        assert_true(sv_is(all[i]->name, names[i]));
    done(&t);
}

static void a_declaration_without_the_mark_is_seen(void **state)
{
    (void)state;
    struct unit t =
        unit_of(MARKS "__awaitc_async__ int after(int);\n"
                      "<|int after(int x) { return x; }|>\n"
                      "int before(int);\n__awaitc_async__ int before(int);\n"
                      "__awaitc_async__ int both(int);\n__awaitc_async__ int both(int);\n");
    assert_true(clang_unit_function(t.clang, SV("after"))->is_plain_too);
    assert_true(clang_unit_function(t.clang, SV("before"))->is_plain_too);
    assert_true(clang_unit_function(t.clang, SV("before"))->is_async);
    assert_false(clang_unit_function(t.clang, SV("both"))->is_plain_too);
    assert_false(clang_unit_function(t.clang, SV("aw_join"))->is_plain_too);
    done(&t);
}

static void attributes_that_async_cannot_have_are_named(void **state)
{
    (void)state;
    static const char *const names[] = {"const",       "pure",       "alias",        "ifunc",
                                        "constructor", "destructor", "returns_twice"};
    struct unit t = unit_of(
        "#define AT_START __attribute__((constructor))\n"
        "int is_const(void) __attribute__((const));\nint is_pure(void) __attribute__((pure));\n"
        "int is_alias(void) __attribute__((alias(\"x\")));\n"
        "[[gnu::ifunc(\"x\")]] int is_ifunc(void);\n"
        "AT_START void is_constructor(void);\nvoid is_destructor(void) "
        "__attribute__((destructor));\n"
        "int is_returns_twice(void) __attribute__((__returns_twice__));\n"
        "int fine(void) __attribute__((weak, annotate(\"alias\"), section(\"constructor\")));\n");
    for (size_t i = 0; i < COUNTOF(names); i++) {
        const char *name = arena_printf(t.mem, "is_%s", names[i]);
        const struct clang_function *f = clang_unit_function(t.clang, sv_from(name));
        assert_non_null(f->bad_attribute);
        assert_string_equal(f->bad_attribute, names[i]);
    }
    assert_null(clang_unit_function(t.clang, SV("fine"))->bad_attribute);
    done(&t);
}

static void parameters_that_do_not_escape_are_known(void **state)
{
    (void)state;
    struct unit t = unit_of(
        MARKS "#include <string.h>\n#include <stdio.h>\n"
              "void mine(char *a, char *b AW_NOESCAPE, char *c "
              "__attribute__((noescape)));\n"
              "<|void f(char *p) { __builtin_memcpy(p, p, 1); __builtin___memset_chk(p, 0, 1, "
              "2); }|>\n");
    assert_int_equal(clang_unit_function(t.clang, SV("mine"))->noescape_params, 6);
    const struct clang_function *copy = clang_unit_function(t.clang, SV("memcpy"));
    assert_int_equal(copy->noescape_params, 3);
    assert_true(copy->returns_first_param && copy->in_system_header_only);
    assert_int_equal(clang_unit_function(t.clang, SV("strchr"))->noescape_params, 0);
    assert_int_equal(clang_unit_function(t.clang, SV("strstr"))->noescape_params, 2);
    assert_true(clang_unit_function(t.clang, SV("snprintf"))->noescape_params == UINT64_MAX);
    assert_int_equal(clang_unit_function(t.clang, SV("__builtin_memcpy"))->noescape_params, 3);
    assert_int_equal(clang_unit_function(t.clang, SV("__builtin___memset_chk"))->noescape_params,
                     1);
    done(&t);
}

static void an_async_parameter_is_in_the_function_type(void **state)
{
    (void)state;
    struct unit t =
        unit_of(MARKS "int take(int (*plain)(int), __awaitc_async__ int (*cb)(int));\n");
    const struct type *type = type_of(&t, clang_unit_function(t.clang, SV("take"))->type);
    assert_int_equal(type->param_count, 2);
    assert_false(type_of(&t, type->params[0])->is_async);
    assert_true(type_of(&t, type->params[1])->is_async);
    done(&t);
}

/* ---- errors --------------------------------------------------------------------------------- */

static void errors_matter_inside_regions_only(void **state)
{
    (void)state;
    struct unit t =
        unit_of("int g(void) { return nothing; }\n<|int f(void) { return nobody; }|>\n");
    uint32_t count;
    const struct clang_error *errors = clang_unit_errors(t.clang, &count);
    assert_int_equal(count, 1);
    assert_int_equal(errors[0].offset, strstr(t.buffer.at, "nobody") - t.buffer.at);
    assert_non_null(strstr(errors[0].text, "nobody"));
    assert_string_equal(errors[0].file, "case.c");
    assert_int_equal(errors[0].line, 2);
    done(&t);
}

static void a_missing_header_is_fatal(void **state)
{
    (void)state;
    struct unit t = unit_of("#include \"no such file.h\"\n<|int f(void) { return 0; }|>\n");
    uint32_t count;
    const struct clang_error *errors = clang_unit_errors(t.clang, &count);
    assert_int_equal(count, 1);
    assert_non_null(strstr(errors[0].text, "no such file.h"));
    done(&t);
}

static void a_use_of_a_broken_declaration_is_an_error(void **state)
{
    (void)state;
    struct unit t = unit_of("extern missing broken;\n<|int f(void) { return broken; }|>\n"
                            "<|int g(void) { return 0; }|>\n");
    uint32_t count;
    const struct clang_error *errors = clang_unit_errors(t.clang, &count);
    assert_int_equal(count, 1);
    assert_int_equal(errors[0].offset, strstr(t.buffer.at, "broken; }") - t.buffer.at);
    assert_non_null(strstr(errors[0].text, "'broken' is used here"));
    assert_non_null(strstr(errors[0].text, "unknown type name 'missing'"));
    done(&t);
}

static void what_gcc_only_warns_of_is_no_error(void **state)
{
    (void)state;
    struct unit t = unit_of("<|int f(void) { int *p = 1; int x = p; return implicit(x); }|>\n");
    ast_function *fn = annotated(&t, 0);
    expect_type(&t, node(fn, "implicit(x)")->type, "int _", "implicit(x)");
    done(&t);
}

/* ---- async ---------------------------------------------------------------------------------- */

static const char callees[] = MARKS
    "typedef __awaitc_async__ int (*handler)(int); typedef int (*plain_handler)(int);\n"
    "__awaitc_async__ int af(int); int pf(int); handler getter(void); handler table[3];\n"
    "struct ops { __awaitc_async__ int (*op)(int); int (*plain)(int); handler h; };\n"
    "<|__awaitc_async__ int f(handler h, __awaitc_async__ int (*cb)(int), struct ops *o, int n) {\n"
    "__auto_type autoh = h; __typeof__(cb) same = cb; plain_handler p = pf;\n"
    "__awaitc_await__ af(1); __awaitc_await__ (af)(2); __awaitc_await__ (*af)(3);\n"
    "__awaitc_await__ h(4); __awaitc_await__ cb(5); __awaitc_await__ o->op(6);\n"
    "__awaitc_await__ o->h(7); __awaitc_await__ table[n](8); __awaitc_await__ getter()(9);\n"
    "__awaitc_await__ (n ? h : cb)(10); __awaitc_await__ (0, cb)(11); __awaitc_await__ (*h)(12);\n"
    "__awaitc_await__ ((handler)o)(13); __awaitc_await__ autoh(14); __awaitc_await__ same(15);\n"
    "__awaitc_await__ (&af)(16); __awaitc_await__ (h = cb)(17); __awaitc_await__ "
    "(*&table[1])(18);\n"
    "pf(30); p(31); o->plain(32); (n ? p : pf)(33); return 0; }|>\n";

static void async_callees_are_found_through_expressions(void **state)
{
    (void)state;
    static const char *const async[] = {
        "af(1)",       "(af)(2)",      "(*af)(3)",        "h(4)",        "cb(5)",
        "o->op(6)",    "o->h(7)",      "table[n](8)",     "getter()(9)", "(n ? h : cb)(10)",
        "(0, cb)(11)", "(*h)(12)",     "autoh(14)",       "same(15)",    "((handler)o)(13)",
        "(&af)(16)",   "(h = cb)(17)", "(*&table[1])(18)"};
    static const char *const plain[] = {"pf(30)", "p(31)", "o->plain(32)", "(n ? p : pf)(33)",
                                        "getter()"};
    struct unit t = unit_of(callees);
    ast_function *fn = annotated(&t, 0);
    for (size_t i = 0; i < COUNTOF(async); i++) {
        if (!node(fn, async[i])->is_file_callee_async)
            fail_msg("'%s' is not seen as a call of an async function", async[i]);
    }
    for (size_t i = 0; i < COUNTOF(plain); i++) {
        if (node(fn, plain[i])->is_file_callee_async)
            fail_msg("'%s' is seen as a call of an async function", plain[i]);
    }
    done(&t);
}

static void a_direct_callee_is_a_function(void **state)
{
    (void)state;
    struct unit t = unit_of(callees);
    ast_function *fn = annotated(&t, 0);
    bool is_async_pointer;
    const struct clang_function *af = clang_unit_function(t.clang, SV("af"));
    static const char *const direct[] = {"af(1)", "(af)(2)", "(*af)(3)", "(&af)(16)"};
    for (size_t i = 0; i < COUNTOF(direct); i++) {
        const ast_node *call = node(fn, direct[i]);
        assert_ptr_equal(clang_unit_callee(t.clang, fn, call->kid[0], &is_async_pointer), af);
        assert_false(is_async_pointer);
    }
    assert_null(clang_unit_callee(t.clang, fn, node(fn, "h(4)")->kid[0], &is_async_pointer));
    assert_true(is_async_pointer);
    assert_null(clang_unit_callee(t.clang, fn, node(fn, "p(31)")->kid[0], &is_async_pointer));
    assert_false(is_async_pointer);
    done(&t);
}

static void async_marks_reach_declarations_and_types(void **state)
{
    (void)state;
    struct unit t = unit_of(callees);
    ast_function *fn = annotated(&t, 0);
    static const char *const names[] = {"h", "cb", "autoh", "same"};
    for (size_t i = 0; i < COUNTOF(names); i++) {
        assert_true(local(fn, names[i])->is_async);
        assert_true(type_of(&t, local(fn, names[i])->type)->is_async);
    }
    assert_false(local(fn, "p")->is_async);
    assert_true(type_of(&t, node(fn, "table")->converted)->is_async);
    assert_true(type_of(&t, node(fn, "o->op")->type)->is_async);
    assert_false(type_of(&t, node(fn, "o->plain")->type)->is_async);
    assert_true(type_of(&t, fn->type)->is_async);
    done(&t);
}

static void forms_have_types_also_within_forms(void **state)
{
    (void)state;
    struct unit t = unit_of(MARKS "__awaitc_async__ int af(int);\n"
                                  "<|__awaitc_async__ int f(char c) { int a, rc; long b;\n"
                                  "__awaitc_await__ __awaitc_all__(a = af(c), b = af(2));\n"
                                  "rc = __awaitc_await__ __awaitc_timeout__(5, a = "
                                  "__awaitc_try_all__(b = af(__awaitc_await__ af(3))));\n"
                                  "return rc; }|>\n");
    static const struct expression_case cases[] = {
        {"c", "char _", "int _"},
        {"a = af(c)", "int _", "int _"},
        {"b = af(2)", "long _", "long _"},
        {"__awaitc_all__(a = af(c), b = af(2))", "void _", "void _"},
        {"__awaitc_try_all__(b = af(__awaitc_await__ af(3)))", "int _", "int _"},
        {"a = __awaitc_try_all__(b = af(__awaitc_await__ af(3)))", "int _", "int _"},
        {"__awaitc_await__ af(3)", "int _", "int _"},
    };
    ast_function *fn = annotated(&t, 0);
    expect_expressions(&t, fn, cases, COUNTOF(cases));
    done(&t);
}

static void operators_that_end_in_a_nested_form_have_types(void **state)
{
    (void)state;
    struct unit t = unit_of(
        MARKS
        "__awaitc_async__ int af(int); long pf(int);\n"
        "#define __awaitc_blocking__(call) (call)\n"
        "<|__awaitc_async__ int f(char c, int *p) { int a; long b;\n"
        "__awaitc_await__ __awaitc_all__(a = af(c + __awaitc_await__ __awaitc_blocking__(pf(1))),\n"
        "b = af(c < __awaitc_await__ __awaitc_blocking__(pf(2))));\n"
        "return a + (int)b + *p; }|>\n");
    static const struct expression_case cases[] = {
        {"c + __awaitc_await__ __awaitc_blocking__(pf(1))", "long _", "long _"},
        {"c < __awaitc_await__ __awaitc_blocking__(pf(2))", "int _", "int _"},
        {"__awaitc_await__ __awaitc_blocking__(pf(1))", "long _", "long _"},
    };
    ast_function *fn = annotated(&t, 0);
    expect_expressions(&t, fn, cases, COUNTOF(cases));
    done(&t);
}

static void references_tell_what_a_name_is(void **state)
{
    (void)state;
    struct unit t = unit_of("__thread int tls; typedef int num; enum { ONE = 1 };\n"
                            "<|int f(int a) { struct loc { int m; } l = {a}; struct loc *p = &l;\n"
                            "num n = tls; return p->m + n + ONE; }|>\n");
    annotated(&t, 0);
    struct clang_reference r;
    const char *text = t.buffer.at;
    assert_true(clang_unit_reference(t.clang, (uint32_t)(strstr(text, "loc *p") - text), &r));
    assert_true(r.is_local && r.declared_offset == (uint32_t)(strstr(text, "loc {") - text));
    assert_true(clang_unit_reference(t.clang, (uint32_t)(strstr(text, "num n") - text), &r));
    assert_false(r.is_local);
    assert_true(clang_unit_reference(t.clang, (uint32_t)(strstr(text, "tls; return") - text), &r));
    assert_true(r.is_thread_local && !r.is_local);
    assert_true(clang_unit_reference(t.clang, (uint32_t)(strstr(text, "ONE; }") - text), &r));
    assert_true(r.is_enumerator);
    assert_true(clang_unit_reference(t.clang, (uint32_t)(strstr(text, "m + n") - text), &r));
    assert_true(r.is_local);
    assert_false(clang_unit_reference(t.clang, (uint32_t)(strstr(text, "return") - text), &r));
    done(&t);
}

/* ---- the sweeps ----------------------------------------------------------------------------- */

static void an_await_that_a_macro_repeats_is_refused(void **state)
{
    (void)state;
    struct unit t = unit_of(
        MARKS "#define twice(x) ((x) + (x))\n__awaitc_async__ int af(int);\n"
              "<|__awaitc_async__ int f(void) { return twice(__awaitc_await__ af(1)); }|>\n");
    ast_function *fn = parse_region(&t, 0);
    uint32_t offset = 0;
    const char *message = clang_unit_annotate(t.clang, fn, &offset);
    assert_non_null(message);
    assert_non_null(strstr(message, "2 times"));
    assert_int_equal(offset, strstr(t.buffer.at, "__awaitc_await__ af(1)") - t.buffer.at);
    done(&t);
}

static void an_await_that_a_macro_drops_is_refused(void **state)
{
    (void)state;
    struct unit t = unit_of(
        MARKS "#define drop(x) 0\n__awaitc_async__ int af(int);\n"
              "<|__awaitc_async__ int f(void) { return drop(__awaitc_await__ af(1)); }|>\n");
    ast_function *fn = parse_region(&t, 0);
    uint32_t offset = 0;
    assert_non_null(clang_unit_annotate(t.clang, fn, &offset));
    assert_int_equal(offset, strstr(t.buffer.at, "__awaitc_await__ af(1)") - t.buffer.at);
    done(&t);
}

static void a_wrong_reference_is_found(void **state)
{
    (void)state;
    struct unit t = unit_of("<|int f(int x) { { int x = 2; (void)x; } return x; }|>\n");
    ast_function *fn = parse_region(&t, 0);
    ast_node *n = node(fn, "x");
    ast_decl *right = n->ref;
    uint32_t offset = 0;
    n->ref = fn->params.at[0];
    assert_ptr_not_equal(n->ref, right);
    const char *message = clang_unit_annotate(t.clang, fn, &offset);
    assert_non_null(message);
    assert_non_null(strstr(message, "'x'"));
    n->ref = NULL;
    assert_non_null(clang_unit_annotate(t.clang, fn, &offset));
    n->ref = right;
    assert_null(clang_unit_annotate(t.clang, fn, &offset));
    done(&t);
}

static void a_macro_of_the_compilers_own_looks_like_a_call(void **state)
{
    (void)state;
    struct unit t = unit_of("int hidden(double);\n#define wrapped(x) hidden((x) + 1.0)\n"
                            "<|long f(char c) { return wrapped(c); }|>\n");
    ast_function *fn = annotated(&t, 0);
    static const struct expression_case cases[] = {
        {"wrapped(c)", "int _", "long _"},
        {"c", "char _", "char _"},
    };
    expect_expressions(&t, fn, cases, COUNTOF(cases));
    bool is_async_pointer;
    assert_null(clang_unit_callee(t.clang, fn, node(fn, "wrapped(c)")->kid[0], &is_async_pointer));
    done(&t);
}

static void a_region_without_a_function_is_told(void **state)
{
    (void)state;
    struct unit t = unit_of("#if 0\n<|int f(void) { return 0; }|>\n#endif\n");
    ast_function *fn = parse_region(&t, 0);
    uint32_t offset = 0;
    assert_non_null(clang_unit_annotate(t.clang, fn, &offset));
    done(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(typedefs_are_known_from_their_declaration_on),
        cmocka_unit_test(functions_gather_all_their_declarations),
        cmocka_unit_test(async_functions_come_in_order),
        cmocka_unit_test(a_declaration_without_the_mark_is_seen),
        cmocka_unit_test(attributes_that_async_cannot_have_are_named),
        cmocka_unit_test(parameters_that_do_not_escape_are_known),
        cmocka_unit_test(an_async_parameter_is_in_the_function_type),
        cmocka_unit_test(errors_matter_inside_regions_only),
        cmocka_unit_test(a_missing_header_is_fatal),
        cmocka_unit_test(a_use_of_a_broken_declaration_is_an_error),
        cmocka_unit_test(what_gcc_only_warns_of_is_no_error),
        cmocka_unit_test(async_callees_are_found_through_expressions),
        cmocka_unit_test(a_direct_callee_is_a_function),
        cmocka_unit_test(async_marks_reach_declarations_and_types),
        cmocka_unit_test(forms_have_types_also_within_forms),
        cmocka_unit_test(operators_that_end_in_a_nested_form_have_types),
        cmocka_unit_test(references_tell_what_a_name_is),
        cmocka_unit_test(an_await_that_a_macro_repeats_is_refused),
        cmocka_unit_test(an_await_that_a_macro_drops_is_refused),
        cmocka_unit_test(a_wrong_reference_is_found),
        cmocka_unit_test(a_macro_of_the_compilers_own_looks_like_a_call),
        cmocka_unit_test(a_region_without_a_function_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
