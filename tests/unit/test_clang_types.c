/* SPDX-License-Identifier: MIT */
/*
 * Is the type of every expression and declaration of a region the one that C gives it, also where
 * libclang shows another? One case asks gcc and clang whether they agree with each type printed.
 */
#include "clang_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "analyzer/base/strbuf.h"

/* ---- types of expressions ------------------------------------------------------------------- */

static void conversions_around_an_expression_are_known(void **state)
{
    (void)state;
    static const struct expression_case cases[] = {
        {"ch", "char _", "int _"},
        {"0", "int _", "void *_"},
        {"fl", "float _", "double _"},
        {"us", "unsigned short _", "int _"},
        {"take(ch, 0)", "long _", "int _"},
        {"arr", "const int _[3]", "const int *_"},
        {"plain", "int _(int)", "int (*_)(int)"},
        {"cond ? us : lo", "long _", "int _"},
        {"(ci)", "const int _", "int _"},
        {"bits.b", "unsigned int _", "int _"},
        {"at", "_Atomic(int) _", "int _"},
        {"3 + at", "int _", "int _"},
        {"77", "int _", "int _"},
        {"\"text\"", "char _[5]", "char *_"},
        {"&arr", "const int (*_)[3]", "const int (*_)[3]"},
        {"sz", "size_t _", "size_t _"},
        {"'c'", "int _", "int _"},
        {"lo == us", "int _", "int _"},
        {"*vp", "volatile int _", "int _"},
        {"ptr - ptr", "long _", "long _"},
        {"(char)lo", "char _", "int _"},
        {"cond ?: lo", "long _", "long _"},
        {"__func__", "const char _[2]", "const char *_"},
    };
    struct unit t = unit_of(
        "#include <stddef.h>\nlong take(int, void *); int plain(int); int many(int, ...);\n"
        "<|int f(int cond) { char ch = 1; float fl = 2; unsigned short us = 3; long lo = 4;\n"
        "static const int arr[3] = {1, 2, 3}; const int ci = 5; struct { unsigned b : 3; } bits = "
        "{1};\n"
        "_Atomic int at = 7; size_t sz = 8; volatile int *vp; int *ptr;\n"
        "int x = take(ch, 0); many(1, fl, us, arr, plain); x = cond ? us : lo; x = (ci) + bits.b;\n"
        "x = 3 + at; at = 77; char *s = \"text\"; (void)&arr; sz = sz; x = 'c'; x = lo == us; x = "
        "*vp;\n"
        "lo = ptr - ptr; x = (char)lo; lo = cond ?: lo; const char *n = __func__; return x; }|>\n");
    ast_function *fn = annotated(&t, 0);
    expect_expressions(&t, fn, cases, COUNTOF(cases));
    assert_true(node(fn, "bits.b")->is_lvalue_bitfield);
    assert_int_equal(node(fn, "bits.b")->bitfield_bits, 3);
    assert_true(node(fn, "plain")->is_const_expr);
    assert_false(node(fn, "ch")->is_const_expr);
    done(&t);
}

static void array_parameters_are_pointers_everywhere(void **state)
{
    (void)state;
    static const struct expression_case cases[] = {
        {"a", "int (*_)[4]", "int (*_)[4]"},
        {"a + 1", "int (*_)[4]", "int (*_)[4]"},
        {"a++", "int (*_)[4]", "int (*_)[4]"},
        {"(a)", "int (*_)[4]", "int (*_)[4]"},
        {"&a", "int (**_)[4]", "int (**_)[4]"},
        {"*&a", "int (*_)[4]", "int (*_)[4]"},
        {"&*a", "int (*_)[4]", "int (*_)[4]"},
        {"*a", "int _[4]", "int *_"},
        {"a[1]", "int _[4]", "int *_"},
        {"n ? a : 0", "int (*_)[4]", "int (*_)[4]"},
        {"({ a; })", "int (*_)[4]", "int (*_)[4]"},
        {"a = b", "int (*_)[4]", "int (*_)[4]"},
        {"g", "int (*_)(int)", "int (*_)(int)"},
        {"sizeof a", "unsigned long _", "int _"},
        {"__extension__ a", "int (*_)[4]", "int (*_)[4]"},
        {"_Generic(n, int: a, default: b)", "int (*_)[4]", "int (*_)[4]"},
        {"s.m", "int _[2][4]", "int (*_)[4]"},
    };
    struct unit t =
        unit_of("struct s { int m[2][4]; };\n"
                "<|int f(int a[3][4], int b[][4], int g(int), int n, struct s s) {\n"
                "(void)(a + 1); a++; (void)(a); (void)&a; (void)(*&a)[1]; n = *a != 0; (void)&*a;\n"
                "(void)(a[1] + 1); (void)(n ? a : 0); (void)({ a; }); a = b; n = g(1);\n"
                "n = sizeof a; (void)__extension__ a; b = _Generic(n, int: a, default: b);\n"
                "return s.m + 1 != 0; }|>\n");
    ast_function *fn = annotated(&t, 0);
    expect_expressions(&t, fn, cases, COUNTOF(cases));
    expect_type(&t, local(fn, "a")->type, "int (*_)[4]", "a");
    expect_type(&t, local(fn, "g")->type, "int (*_)(int)", "g");
    done(&t);
}

static void type_names_of_casts_have_a_type(void **state)
{
    (void)state;
    struct unit t = unit_of("<|long f(int x, __builtin_va_list ap) { (void)(int[]){1, 2};\n"
                            "return (long)x + __builtin_va_arg(ap, short *)[0]; }|>\n");
    ast_function *fn = annotated(&t, 0);
    expect_type(&t, node(fn, "(long)x")->kid[0]->type, "long _", "(long)");
    expect_type(&t, node(fn, "(int[]){1, 2}")->kid[0]->type, "int _[2]", "(int[])");
    expect_type(&t, node(fn, "__builtin_va_arg(ap, short *)")->type, "short *_", "va_arg");
    done(&t);
}

static void designated_initialisers_have_types(void **state)
{
    (void)state;
    struct unit t =
        unit_of("struct p { int x; struct { long y[3]; } in; };\n"
                "<|int f(char c) { struct p p = {.x = c, .in = {.y = {[1] = c + 1}}};\n"
                "struct p *q = &(struct p){.in.y[2] = c + 2}; return p.x + q->x; }|>\n");
    static const struct expression_case cases[] = {
        {"c", "char _", "int _"},
        {"c + 1", "int _", "long _"},
        {"c + 2", "int _", "long _"},
        {"{[1] = c + 1}", "long _[3]", "long _[3]"},
    };
    ast_function *fn = annotated(&t, 0);
    expect_expressions(&t, fn, cases, COUNTOF(cases));
    done(&t);
}

/* ---- declared types ------------------------------------------------------------------------- */

static const char shapes[] =
    "#include <stddef.h>\n#include <stdint.h>\n#include <stdarg.h>\n"
    "struct tag { int m; struct inner { int q; } in; const int k; };\nunion un { int i; float f; "
    "};\n"
    "typedef struct { int z; } anon_t; typedef enum { E1, E2 } en_t; enum tagged { T1 };\n"
    "typedef int v4 __attribute__((vector_size(16))); typedef const int cint; typedef int row[3];\n"
    "typedef int aligned16 __attribute__((aligned(16))); typedef struct fwd *fwdp;\n"
    "typedef int fn_t(int, ...); typedef int (*handler)(int);\n"
    "<|int f(int a[3][4], int g(int), handler h, int n, int *__restrict r, const volatile char "
    "*cv,\n"
    "int va[n][n], va_list ap, const size_t csz, int (*const cfp)(int), struct tag by_value) {\n"
    "int (*pa)[4] = a; char ch = 1; row rr = {1}; const row cr = {1}; cint ci = 3; aligned16 al = "
    "4;\n"
    "struct loc { int m; } lv = {3}, *lvp = &lv; typedef int lint; lint li = 4; lint *lip = &li;\n"
    "enum le { LA } le = LA; int vla[n]; int (*pv)[n] = &vla; int *parr[5]; int (*parrp)[5] = 0;\n"
    "int (*fa[3])(int, char *) = {0}; int (*(*fpa)[3])(int) = 0; int (*(*ffp)(int))(char) = 0;\n"
    "double _Complex dc = 1; __int128 i128 = 5; unsigned __int128 u128 = 6; _Atomic int ai = 3;\n"
    "_Atomic(long) *aip = 0; v4 v = {1}; v4 *vp = &v; long double ld = 2; volatile int vi = 3;\n"
    "int __attribute__((vector_size(8))) v2 = {1}; __typeof__(v < v) cmp; int *const cp = 0;\n"
    "int *volatile *const cvp = 0; const char *const strs[] = {\"a\", \"b\"}; anon_t at = {1};\n"
    "struct { int i; } anon2 = {1}; __auto_type aa = at; __typeof__(ch) tx = 1; fn_t *fnp = 0;\n"
    "__typeof__(int *[3]) ty; __typeof__(a) ta = a; fwdp fw = 0; uint8_t u8 = 1; en_t en = E1;\n"
    "enum tagged tg = T1; struct inner in = {1}; union un un = {1}; const char msg[] = \"hello\";\n"
    "static int st = 3; extern int ex; int proto(int); register int rg = 2; _Bool bb = 1;\n"
    "const struct tag *const ctp = 0; unsigned long long ull = 1; void (*nop)() = 0; int none[0];\n"
    "(void)ap; (void)csz; return n; }|>\n";

struct shape_case {
    const char *name, *type;
    enum type_class cls;
};

static const struct shape_case shape_cases[] = {
    {"a", "int (*_)[4]", TYPE_POINTER},
    {"g", "int (*_)(int)", TYPE_POINTER},
    {"h", "handler _", TYPE_POINTER},
    {"r", "int *__restrict _", TYPE_POINTER},
    {"cv", "const volatile char *_", TYPE_POINTER},
    {"va", "void *_", TYPE_POINTER},
    {"csz", "const size_t _", TYPE_INT},
    {"cfp", "int (*const _)(int)", TYPE_POINTER},
    {"by_value", "struct tag _", TYPE_RECORD},
    {"pa", "int (*_)[4]", TYPE_POINTER},
    {"rr", "row _", TYPE_ARRAY},
    {"cr", "const row _", TYPE_ARRAY},
    {"ci", "cint _", TYPE_INT},
    {"al", "aligned16 _", TYPE_INT},
    {"lv", "?", TYPE_RECORD},
    {"lvp", "?", TYPE_POINTER},
    {"li", "int _", TYPE_INT},
    {"lip", "int *_", TYPE_POINTER},
    {"le", "unsigned int _", TYPE_ENUM}, /* compatible */
    {"vla", "?", TYPE_ARRAY},
    {"pv", "void *_", TYPE_POINTER},
    {"parr", "int *_[5]", TYPE_ARRAY},
    {"parrp", "int (*_)[5]", TYPE_POINTER},
    {"fa", "int (*_[3])(int, char *)", TYPE_ARRAY},
    {"fpa", "int (*(*_)[3])(int)", TYPE_POINTER},
    {"ffp", "int (*(*_)(int))(char)", TYPE_POINTER},
    {"dc", "__complex__ double _", TYPE_COMPLEX},
    {"i128", "__int128_t _", TYPE_INT},
    {"u128", "__uint128_t _", TYPE_INT},
    {"ai", "_Atomic(int) _", TYPE_ATOMIC},
    {"aip", "_Atomic(long) *_", TYPE_POINTER},
    {"v", "v4 _", TYPE_VECTOR},
    {"vp", "v4 *_", TYPE_POINTER},
    {"v2", "__attribute__((__vector_size__(8))) int _", TYPE_VECTOR},
    {"ld", "long double _", TYPE_FLOAT},
    {"vi", "volatile int _", TYPE_INT},
    {"cp", "int *const _", TYPE_POINTER},
    {"cvp", "int *volatile *const _", TYPE_POINTER},
    {"strs", "const char *const _[2]", TYPE_ARRAY},
    {"at", "anon_t _", TYPE_RECORD},
    {"anon2", "?", TYPE_RECORD},
    {"aa", "anon_t _", TYPE_RECORD},
    {"tx", "char _", TYPE_INT},
    {"fnp", "fn_t *_", TYPE_POINTER},
    {"ty", "int *_[3]", TYPE_ARRAY},
    {"ta", "int (*_)[4]", TYPE_POINTER},
    {"fw", "fwdp _", TYPE_POINTER},
    {"u8", "uint8_t _", TYPE_INT},
    {"en", "en_t _", TYPE_ENUM},
    {"tg", "enum tagged _", TYPE_ENUM},
    {"in", "struct inner _", TYPE_RECORD},
    {"un", "union un _", TYPE_RECORD},
    {"msg", "const char _[6]", TYPE_ARRAY},
    {"st", "int _", TYPE_INT},
    {"ex", "int _", TYPE_INT},
    {"proto", "int _(int)", TYPE_FUNCTION},
    {"bb", "_Bool _", TYPE_BOOL},
    {"ctp", "const struct tag *const _", TYPE_POINTER},
    {"ull", "unsigned long long _", TYPE_INT},
    {"nop", "void (*_)()", TYPE_POINTER},
    {"none", "int _[0]", TYPE_ARRAY},
};

static void every_declarator_shape_is_spelled(void **state)
{
    (void)state;
    struct unit t = unit_of(shapes);
    ast_function *fn = annotated(&t, 0);
    for (size_t i = 0; i < COUNTOF(shape_cases); i++) {
        const ast_decl *d = local(fn, shape_cases[i].name);
        expect_type(&t, d->type, shape_cases[i].type, shape_cases[i].name);
        assert_int_equal(type_of(&t, d->type)->cls, shape_cases[i].cls);
        if (d->declarator != NULL)
            assert_int_equal(d->declarator->type, d->type);
    }
    done(&t);
}

static void types_have_size_parts_and_qualifiers(void **state)
{
    (void)state;
    struct unit t = unit_of(shapes);
    ast_function *fn = annotated(&t, 0);
    const struct type *al = type_of(&t, local(fn, "al")->type);
    assert_true(al->align_bytes == 16 && al->size_bytes == 4 && al->is_complete);
    const struct type *strs = type_of(&t, local(fn, "strs")->type);
    assert_true(strs->count == 2 && strs->is_const && strs->size_bytes == 2 * sizeof(char *));
    expect_type(&t, strs->unqualified, "const char *_[2]", "strs, unqualified");
    expect_type(&t, type_of(&t, local(fn, "cr")->type)->unqualified, "int _[3]", "cr, unqualified");
    expect_type(&t, type_of(&t, local(fn, "ci")->type)->unqualified, "int _", "ci, unqualified");
    expect_type(&t, type_of(&t, local(fn, "csz")->type)->unqualified, "size_t _",
                "csz, unqualified");
    assert_true(type_of(&t, local(fn, "vla")->type)->is_variable);
    assert_true(type_of(&t, local(fn, "pv")->type)->is_variable);
    assert_true(type_of(&t, local(fn, "va")->type)->is_variable);
    assert_false(type_of(&t, local(fn, "vla")->type)->is_complete);
    assert_true(type_of(&t, local(fn, "by_value")->type)->has_const_member);
    assert_false(type_of(&t, local(fn, "in")->type)->has_const_member);
    assert_true(type_of(&t, local(fn, "un")->type)->is_union);
    const struct type *fw = type_of(&t, local(fn, "fw")->type);
    assert_false(type_of(&t, fw->elem)->is_complete);
    const struct type *target = type_of(&t, type_of(&t, local(fn, "fnp")->type)->elem);
    assert_true(target->is_variadic && target->has_prototype && target->param_count == 1);
    expect_type(&t, local(fn, "loc")->type, "?", "loc");
    assert_int_equal(type_of(&t, local(fn, "loc")->type)->size_bytes, sizeof(int));
    done(&t);
}

static void equal_types_are_one_entry(void **state)
{
    (void)state;
    struct unit t = unit_of(
        "typedef int num;\n<|int f(int *a, int b[], num *c) { int *d = a, x; int **e = &a;\n"
        "return *d + b[0] + *c + (e != 0) + x; }|>\n");
    ast_function *fn = annotated(&t, 0);
    type_id a = local(fn, "a")->type;
    assert_int_equal(local(fn, "b")->type, a);
    assert_int_equal(local(fn, "d")->type, a);
    assert_int_equal(type_of(&t, local(fn, "e")->type)->elem, a);
    type_id c = local(fn, "c")->type;
    assert_int_not_equal(c, a);
    assert_int_equal(type_of(&t, c)->canonical, a);
    done(&t);
}

/* Is a compiler there, and does it accept the file? */
static void expect_compiles(const char *command, const char *path)
{
    char line[512];
    snprintf(line, sizeof line, "command -v %.*s >/dev/null 2>&1", (int)strcspn(command, " "),
             command);
    if (system(line) != 0)
        return;
    snprintf(line, sizeof line, "%s -w -x c -fsyntax-only %s", command, path);
    if (system(line) != 0)
        fail_msg("a type is not what the compiler sees: %s %s", command, path);
}

static void compilers_agree_with_every_spelling(void **state)
{
    (void)state;
    struct unit t = unit_of(shapes);
    ast_function *fn = annotated(&t, 0);
    const char *end = strstr(t.buffer.at, "return n; }");
    strbuf out = strbuf_in(t.mem);
    strbuf_add(&out, t.buffer.at, (size_t)(end - t.buffer.at));
    for (size_t i = 0; i < COUNTOF(shape_cases); i++) {
        const ast_decl *d = local(fn, shape_cases[i].name);
        const char *text = type_declare(clang_unit_types(t.clang), t.mem, d->type, "");
        if (text == NULL || type_of(&t, d->type)->is_variable) /* these are `void *` on purpose */
            continue;
        strbuf_fmt(&out,
                   "\n_Static_assert(__builtin_types_compatible_p(__typeof__(%s), %s), \"%s\");",
                   shape_cases[i].name, text, shape_cases[i].name);
        strbuf_fmt(&out, "{ %s; (void)other; }",
                   type_declare(clang_unit_types(t.clang), t.mem, d->type, "other"));
    }
    strbuf_str(&out, end);
    char path[] = "clang_unit_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, strbuf_text(&out), out.len), (ssize_t)out.len);
    close(fd);
    expect_compiles("gcc -std=gnu89 -pedantic", path);
    expect_compiles("gcc -std=c11", path);
    expect_compiles("gcc -std=gnu2x", path);
    expect_compiles("clang -std=gnu89 -pedantic", path);
    expect_compiles("clang -std=c11", path);
    expect_compiles("clang -std=gnu2x", path);
    unlink(path);
    done(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conversions_around_an_expression_are_known),
        cmocka_unit_test(array_parameters_are_pointers_everywhere),
        cmocka_unit_test(type_names_of_casts_have_a_type),
        cmocka_unit_test(designated_initialisers_have_types),
        cmocka_unit_test(every_declarator_shape_is_spelled),
        cmocka_unit_test(types_have_size_parts_and_qualifiers),
        cmocka_unit_test(equal_types_are_one_entry),
        cmocka_unit_test(compilers_agree_with_every_spelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
