/* SPDX-License-Identifier: MIT */
/*
 * Types, constants, callees and places of small units, as if they came from the preprocessor.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyzer/sema/sema.h"

struct fixture {
    arena *mem;
    sema_unit *unit;
};

static int open_arena(void **state)
{
    struct fixture *f = test_malloc(sizeof *f);
    f->mem = arena_create();
    *state = f;
    return 0;
}

static int close_arena(void **state)
{
    struct fixture *f = *state;
    arena_destroy(&f->mem);
    test_free(f);
    return 0;
}

/* Reads a unit whose source is `source` and whose preprocessed text is `text`. */
static sema_unit *read_unit(struct fixture *f, const char *source, const char *text)
{
    strview body = sv_from(text);
    struct sema_request r = {.mem = f->mem,
                             .cpp = cpp_output_read(f->mem, body, 0),
                             .path = "a.c",
                             .source = sv_from(source)};
    struct sema_failure failure;
    f->unit = sema_unit_read(&r, &failure);
    assert_non_null(f->unit);
    return f->unit;
}

static sema_unit *read_plain(struct fixture *f, const char *text)
{
    return read_unit(f, text, arena_printf(f->mem, "# 1 \"a.c\"\n%s", text));
}

static const ctype *type_of(sema_unit *u, const char *name)
{
    sema_symbol *s = sema_find(u, sv_from(name));
    assert_non_null(s);
    return sema_symbol_type(u, s);
}

static const struct sema_function *function(sema_unit *u, const char *name)
{
    sema_symbol *s = sema_find(u, sv_from(name));
    assert_non_null(s);
    assert_non_null(s->function);
    return s->function;
}

/* The n-th node of a kind, in the order of the tree. */
static const ast_node *find(const ast_node *n, enum ast_kind kind, unsigned *skip)
{
    if (n->kind == kind && (*skip)-- == 0)
        return n;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *found = n->kid[i] == NULL ? NULL : find(n->kid[i], kind, skip);
        if (found != NULL)
            return found;
    }
    return NULL;
}

static const ast_node *node(const struct sema_function *fn, enum ast_kind kind, unsigned nth)
{
    const ast_node *n = find(fn->tree->root, kind, &nth);
    assert_non_null(n);
    return n;
}

static void declarators_are_read_inside_out(void **state)
{
    sema_unit *u = read_plain(*state, "const char *(*table[3])(int, char *v[], ...);\n"
                                      "int (*make(double d))(void);\n");
    const ctype *t = type_of(u, "table");
    assert_int_equal(t->cls, CTYPE_ARRAY);
    assert_int_equal(t->count, 3);
    assert_int_equal(t->size_bytes, 24);
    assert_int_equal(t->elem->cls, CTYPE_POINTER);
    t = t->elem->elem;
    assert_int_equal(t->cls, CTYPE_FUNCTION);
    assert_true(t->is_variadic);
    assert_int_equal(t->param_count, 2);
    assert_int_equal(t->params[1]->cls, CTYPE_POINTER);
    assert_int_equal(t->elem->cls, CTYPE_POINTER);
    assert_true(t->elem->elem->is_const);
    t = type_of(u, "make");
    assert_int_equal(t->cls, CTYPE_FUNCTION);
    assert_int_equal(t->elem->cls, CTYPE_POINTER);
    assert_int_equal(t->elem->elem->cls, CTYPE_FUNCTION);
}

static void records_are_laid_out(void **state)
{
    sema_unit *u = read_plain(
        *state, "typedef struct node { char c; union { int i; double d; }; unsigned a : 3, b : 7;\n"
                "  struct node *next; char tail[5]; } node_t;\n"
                "struct packed { char c; int i; } __attribute__((packed));\n"
                "node_t v; struct packed p; struct opaque *o;\n");
    const ctype *t = type_of(u, "v");
    assert_int_equal(t->size_bytes, 40);
    assert_true(t->record->is_complete);
    assert_true(sv_is(t->record->tag, "node"));
    assert_true(sv_is(t->record->typedef_name, "node_t"));
    assert_int_equal(type_of(u, "p")->size_bytes, 5);
    t = type_of(u, "o");
    assert_int_equal(t->elem->cls, CTYPE_RECORD);
    assert_false(t->elem->record->is_complete);
}

static void names_of_the_same_record_are_one(void **state)
{
    sema_unit *u = read_plain(*state, "struct s { int fd; }; typedef struct s T; extern T a;\n"
                                      "int f(struct s *p, T *q) { return p->fd + q->fd; }\n");
    const struct sema_function *fn = function(u, "f");
    const ctype *p = sema_type(u, fn, node(fn, AST_MEMBER, 0)->kid[0]);
    const ctype *q = sema_type(u, fn, node(fn, AST_MEMBER, 1)->kid[0]);
    assert_ptr_equal(p->elem->record, q->elem->record);
    assert_string_equal(sema_member_key(u, fn, node(fn, AST_MEMBER, 1)), "s.fd");
    assert_int_equal(sema_type(u, fn, node(fn, AST_MEMBER, 0))->cls, CTYPE_INT);
}

static void constants_know_enumerators_and_macros(void **state)
{
    sema_unit *u =
        read_plain(*state, "#define FLAG (1 << 4)\n#define BOTH (FLAG | TWO)\n"
                           "#define CALL(x) (x)\nenum e { ONE = 1, TWO, FOUR = TWO * 2 };\n"
                           "static const int limit = FOUR + sizeof(long);\n"
                           "int f(int n) { return g(FOUR, n, limit, -1 ? 5 : 6); }\n");
    int64_t v;
    assert_true(sema_named_constant(u, SV("FLAG"), &v));
    assert_int_equal(v, 16);
    assert_true(sema_named_constant(u, SV("BOTH"), &v));
    assert_int_equal(v, 18);
    assert_false(sema_named_constant(u, SV("CALL"), &v));
    assert_false(sema_named_constant(u, SV("NOWHERE"), &v));
    const struct sema_function *fn = function(u, "f");
    const ast_node *call = node(fn, AST_CALL, 0);
    assert_int_equal(sema_arg_count(call), 4);
    assert_true(sema_constant(u, fn, sema_arg(call, 0), &v));
    assert_int_equal(v, 4);
    assert_false(sema_constant(u, fn, sema_arg(call, 1), &v));
    assert_true(sema_constant(u, fn, sema_arg(call, 2), &v));
    assert_int_equal(v, 12);
    assert_true(sema_constant(u, fn, sema_arg(call, 3), &v));
    assert_int_equal(v, 5);
}

static void async_is_seen_in_every_spelling(void **state)
{
    sema_unit *u = read_plain(
        *state, "__awaitc_async__ int f(int a);\nint f(int a) { return a; }\n"
                "typedef __awaitc_async__ int op(int);\n"
                "struct ops { __awaitc_async__ int (*run)(int); op *other; int (*plain)(int); };\n"
                "int g(struct ops *o) { return f(1) + o->run(2) + o->other(3) + o->plain(4); }\n");
    const struct sema_function *fn = function(u, "g");
    assert_true(sema_find(u, SV("f"))->is_async);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(sema_call_is_async(u, fn, node(fn, AST_CALL, i)), i < 3);
}

static void indirect_calls_have_no_callee(void **state)
{
    sema_unit *u =
        read_plain(*state, "int f(int); int unknown();\n"
                           "int g(int (*h)(int)) { return h(1) + (&f)(2) + lost(3); }\n");
    const struct sema_function *fn = function(u, "g");
    assert_null(sema_callee(u, fn, node(fn, AST_CALL, 0)));
    assert_int_equal(sema_callee_name(u, fn, node(fn, AST_CALL, 0)).len, 0);
    assert_true(sv_is(sema_callee(u, fn, node(fn, AST_CALL, 1))->name, "f"));
    assert_null(sema_callee(u, fn, node(fn, AST_CALL, 2)));
    assert_true(sv_is(sema_callee_name(u, fn, node(fn, AST_CALL, 2)), "lost"));
}

static void places_are_those_of_the_written_text(void **state)
{
    const char *source = "#define TWICE(x) ((x) + (x))\n"
                         "int f(int n)\n"
                         "{\n"
                         "    return g(n) + TWICE(h(n)) + g( n  );\n"
                         "}\n";
    const char *text = "# 1 \"a.c\"\n"
                       "#define TWICE(x) ((x) + (x))\n"
                       "int f(int n)\n"
                       "{\n"
                       "    return g(n) + ((h(n)) + (h(n))) + g( n );\n"
                       "}\n";
    sema_unit *u = read_unit(*state, source, text);
    const struct sema_function *fn = function(u, "f");
    assert_int_equal(fn->place.line, 2);
    assert_int_equal(fn->place.column, 5);
    uint32_t begin, end;
    const ast_node *first = node(fn, AST_CALL, 0), *last = node(fn, AST_CALL, 3);
    assert_int_equal(sema_place(u, fn, first).column, 12);
    assert_true(sema_source_range(u, fn, first, &begin, &end));
    assert_int_equal(end - begin, 4);
    assert_int_equal(sema_place(u, fn, last).line, 4);
    assert_int_equal(sema_place(u, fn, last).column, 33);
    assert_int_equal(sema_end_column(u, fn, last), 40);
    assert_string_equal(sema_text(u, fn, last, 60), "g( n )");
    assert_int_equal(sema_place(u, fn, node(fn, AST_CALL, 2)).column,
                     19); /* the second h: the macro */
    assert_false(sema_source_range(u, fn, node(fn, AST_BINARY, 0), &begin, &end));
}

static void a_function_that_does_not_parse_is_one_failure(void **state)
{
    sema_unit *u = read_plain(*state, "int f(void) { return 1 + ; }\nint g(void) { return 2; }\n");
    uint32_t count;
    const struct sema_failure *failures = sema_unit_failures(u, &count);
    assert_int_equal(count, 1);
    assert_true(sv_is(failures[0].function, "f"));
    assert_int_equal(failures[0].place.line, 1);
    sema_unit_functions(u, &count);
    assert_int_equal(count, 1);
}

static void old_style_and_attributed_functions_are_found(void **state)
{
    sema_unit *u =
        read_plain(*state, "int old(a, b) int a; char *b; { return a; }\n"
                           "__attribute__((noreturn)) static void end(void) { for (;;) ; }\n"
                           "__attribute__((__annotate__(\"awaitc::blocks\"))) int slow(void);\n"
                           "static int table[] = { 1, 2 };\n__thread int tls;\n"
                           "int f(void) { return slow(); }\n");
    uint32_t count;
    sema_unit_failures(u, &count);
    assert_int_equal(count, 0);
    sema_unit_functions(u, &count);
    assert_int_equal(count, 3);
    assert_int_equal(sema_find(u, SV("end"))->stated, STATED_NORETURN);
    assert_int_equal(sema_find(u, SV("slow"))->stated, STATED_BLOCKS);
    assert_true(sema_find(u, SV("tls"))->is_thread_local);
    struct sema_function *tree;
    assert_non_null(sema_symbol_initialiser(u, sema_find(u, SV("table")), &tree));
    assert_int_equal(
        sema_type(u, function(u, "old"), node(function(u, "old"), AST_RETURN, 0)->kid[0])->cls,
        CTYPE_INT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(declarators_are_read_inside_out),
        TEST(records_are_laid_out),
        TEST(names_of_the_same_record_are_one),
        TEST(constants_know_enumerators_and_macros),
        TEST(async_is_seen_in_every_spelling),
        TEST(indirect_calls_have_no_callee),
        TEST(places_are_those_of_the_written_text),
        TEST(a_function_that_does_not_parse_is_one_failure),
        TEST(old_style_and_attributed_functions_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
