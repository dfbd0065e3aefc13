/* SPDX-License-Identifier: MIT */
/*
 * What tree does the parser make of a region, and what does it say of one that is none?
 *
 * Trees are compared in short form, made from ast_dump: KIND op `name` (children), the name only of
 * leaves and of what declares or selects one. Names that begin with T are typedefs of file scope.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyzer/base/check.h"
#include "analyzer/syntax/ast_lex.h"

static int set_up(void **state)
{
    *state = arena_create();
    return 0;
}

static int tear_down(void **state)
{
    arena *mem = *state;
    arena_destroy(&mem);
    return 0;
}

static bool begins_with_t(void *context, strview name, uint32_t before_offset)
{
    (void)context;
    (void)before_offset;
    return name.len != 0 && name.at[0] == 'T';
}

static ast_function *try_parse(arena *mem, const char *text, struct ast_parse_error *error)
{
    const struct ast_parse_request request = {.mem = mem,
                                              .buffer = sv_from(text),
                                              .end = (uint32_t)strlen(text),
                                              .is_typedef = begins_with_t};
    return ast_parse(&request, error);
}

static ast_function *parse(arena *mem, const char *text)
{
    struct ast_parse_error error = {0};
    ast_function *fn = try_parse(mem, text, &error);
    if (fn == NULL)
        fail_msg("%s\n  before: %s\n  in: %s", error.text, text + error.offset, text);
    const char *wrong = ast_verify(fn);
    if (wrong != NULL)
        fail_msg("%s: %s", wrong, text);
    return fn;
}

static ast_node *body_of(const ast_function *fn)
{
    return fn->root->kid[2];
}

/* ---- short form ----------------------------------------------------------------------------- */

static bool shows_name(strview line)
{
    static const char *const kinds[] = {"DECLARATOR", "MEMBER", "LABEL", "TAG_DEF", "ENUMERATOR"};
    for (size_t i = 0; i < COUNTOF(kinds); i++) {
        size_t len = strlen(kinds[i]);
        if (sv_starts(line, kinds[i]) && line.len > len && line.at[len] == ' ')
            return true;
    }
    return false;
}

static size_t depth_of(const char *line)
{
    return strspn(line, " ") / 2;
}

/* ast_dump's lines as one line with parentheses. */
static void shorten(const char *dump, strbuf *out)
{
    size_t open = 0;
    for (const char *line = dump; *line != '\0';) {
        const char *end = strchr(line, '\n');
        size_t depth = depth_of(line), next = end[1] == '\0' ? 0 : depth_of(end + 1);
        strview text = {line + 2 * depth, (size_t)(end - line) - 2 * depth};
        const char *name = memchr(text.at, '`', text.len);
        if (name != NULL && next > depth && !shows_name(text))
            text.len = (size_t)(name - text.at) - 1;
        strbuf_sv(out, text);
        for (open = depth; open > next; open--)
            strbuf_char(out, ')');
        if (next > depth)
            strbuf_char(out, '(');
        else if (end[1] != '\0')
            strbuf_char(out, ' ');
        line = end + 1;
    }
}

static const char *short_form(arena *mem, const ast_function *fn, const ast_node *n)
{
    strbuf dump = strbuf_in(mem), out = strbuf_in(mem);
    ast_dump(fn, n, &dump);
    shorten(strbuf_text(&dump), &out);
    return strbuf_text(&out);
}

/* The statements of a function's body. */
static void check_statements(arena *mem, const char *statements, const char *expected)
{
    ast_function *fn = parse(mem, arena_printf(mem, "void f(void) {%s}", statements));
    const ast_node *body = body_of(fn);
    strbuf all = strbuf_in(mem);
    for (uint32_t i = 0; i < body->kid_count; i++) {
        strbuf_str(&all, i == 0 ? "" : "; ");
        strbuf_str(&all, short_form(mem, fn, body->kid[i]));
    }
    assert_string_equal(strbuf_text(&all), expected);
}

/* An expression in the place of a statement. */
static void check_expression(arena *mem, const char *expression, const char *expected)
{
    ast_function *fn = parse(mem, arena_printf(mem, "void f(void) {%s;}", expression));
    const ast_node *statement = body_of(fn)->kid[0];
    assert_int_equal(statement->kind, AST_EXPR_STMT);
    assert_string_equal(short_form(mem, fn, statement->kid[0]), expected);
}

static void check_fails(arena *mem, const char *text, const char *before, const char *message)
{
    struct ast_parse_error error = {0};
    assert_null(try_parse(mem, text, &error));
    assert_string_equal(error.text, message);
    assert_int_equal(strncmp(text + error.offset, before, strlen(before)), 0);
}

static const ast_decl *find_decl(const ast_function *fn, const char *name, enum ast_decl_kind kind)
{
    for (size_t i = 0; i < fn->decls.count; i++) {
        if (fn->decls.at[i]->kind == kind && sv_is(fn->decls.at[i]->name, name))
            return fn->decls.at[i];
    }
    return NULL;
}

/* The n-th node of a kind in the order of the text, counted from 0. */
static ast_node *find_node(const ast_function *fn, enum ast_kind kind, size_t nth)
{
    VEC(ast_node *) stack = {0};
    VEC_PUSH(fn->mem, &stack, fn->root);
    while (stack.count != 0) {
        ast_node *n = stack.at[--stack.count];
        if (n->kind == kind && nth-- == 0)
            return n;
        for (uint32_t i = n->kid_count; i-- > 0;) {
            if (n->kid[i] != NULL)
                VEC_PUSH(fn->mem, &stack, n->kid[i]);
        }
    }
    return NULL;
}

/* The n-th use of a name in an expression. */
static ast_node *find_use(const ast_function *fn, const char *name, size_t nth)
{
    for (size_t i = 0;; i++) {
        ast_node *n = find_node(fn, AST_IDENT, i);
        if (n == NULL || (sv_is(ast_node_text(fn, n), name) && nth-- == 0))
            return n;
    }
}

/* ---- lexer ---------------------------------------------------------------------------------- */

/* The code of the one token that the text is. */
static uint16_t code_of(arena *mem, const char *text)
{
    struct ast_parse_error error = {0};
    uint32_t count = 0;
    struct token *t = ast_lex(mem, sv_from(text), 0, (uint32_t)strlen(text), &count, &error);
    assert_non_null(t);
    assert_int_equal(count, 1);
    assert_int_equal(t[0].end, strlen(text));
    return t[0].code;
}

static void keywords_are_sorted_and_found(void **state)
{
    static const char *const spellings[] = {
#define KEYWORD(spelling, code) spelling,
#include "analyzer/syntax/ast_keywords.def"
#undef KEYWORD
    };
    static const uint16_t codes[] = {
#define KEYWORD(spelling, code) code,
#include "analyzer/syntax/ast_keywords.def"
#undef KEYWORD
    };
    for (size_t i = 0; i < COUNTOF(spellings); i++) {
        assert_true(i == 0 || strcmp(spellings[i - 1], spellings[i]) < 0);
        assert_int_equal(code_of(*state, spellings[i]), codes[i]);
    }
    assert_int_equal(code_of(*state, "iff"), 0);
    assert_int_equal(code_of(*state, "whilE"), 0);
    assert_int_equal(code_of(*state, "wh\\\nile"), KW_WHILE);
}

static void punctuators_are_found(void **state)
{
    static const struct {
        const char *text;
        uint16_t code;
    } all[] = {
#define PUNCTUATOR(text, code) {text, code},
#define DIGRAPH(text, code)    {text, code},
#include "analyzer/syntax/ast_punctuators.def"
#undef DIGRAPH
#undef PUNCTUATOR
    };
    for (size_t i = 0; i < COUNTOF(all); i++)
        assert_int_equal(code_of(*state, all[i].text), all[i].code);
    assert_int_equal(code_of(*state, "<\\\n<\\\n="), P_SHL_ASSIGN);
}

static void check_tokens(arena *mem, const char *text, const char *expected)
{
    static const char names[] = {'$', 'i', 'n', 'c', 's', 'p', '#'};
    struct ast_parse_error error = {0};
    uint32_t count = 0;
    struct token *t = ast_lex(mem, sv_from(text), 0, (uint32_t)strlen(text), &count, &error);
    assert_non_null(t);
    strbuf out = strbuf_in(mem);
    for (uint32_t i = 0; i < count; i++)
        strbuf_fmt(&out, "%s%c:%.*s", i == 0 ? "" : " ", names[t[i].kind],
                   (int)(t[i].end - t[i].begin), text + t[i].begin);
    assert_string_equal(strbuf_text(&out), expected);
    assert_int_equal(t[count].kind, TOKEN_END);
}

static void tokens_of_every_kind(void **state)
{
    arena *mem = *state;
    check_tokens(mem, "a+++b->c...<<=", "i:a p:++ p:+ i:b p:-> i:c p:... p:<<=");
    check_tokens(mem, "<%x<:3:>%>", "p:<% i:x p:<: n:3 p::> p:%>");
    check_tokens(mem, "0x1.8p-3 .5e+7f 1'000 1...2", "n:0x1.8p-3 n:.5e+7f n:1'000 n:1...2");
    check_tokens(mem, "L'x' u8\"a\\\"b\" U\"c\"'\\''", "c:L'x' s:u8\"a\\\"b\" s:U\"c\" c:'\\''");
    check_tokens(mem, "R\"x(a)\"b)x\" LR\"()\" R+L", "s:R\"x(a)\"b)x\" s:LR\"()\" i:R p:+ i:L");
    check_tokens(mem, "a/* b */c//d\ne/ f", "i:a i:c i:e p:/ i:f");
    check_tokens(mem, "\xc3\xa9$_1 \\u00e9\\U000000e9x", "i:\xc3\xa9$_1 i:\\u00e9\\U000000e9x");
    check_tokens(mem, "\n # pragma x /* */ y\nz", "#:# pragma x /* */ y i:z");
    check_tokens(mem, "_Pragma ( L\"a\" ) _Pragmas", "#:_Pragma ( L\"a\" ) i:_Pragmas");
    check_tokens(mem, "ab\\\ncd +\\\r\n+", "i:ab\\\ncd p:+\\\r\n+");
}

static void text_that_is_no_token_is_an_error(void **state)
{
    check_fails(*state, "void f(void) { \"abc\n\"; }", "\"abc", "unterminated string literal");
    check_fails(*state, "void f(void) { 'a", "'a", "unterminated character constant");
    check_fails(*state, "void f(void) /* {", "/*", "unterminated comment");
    check_fails(*state, "void f(void) { @", "@", "a character that no C token starts with");
    check_fails(*state, "#define X\n", "#", "a directive other than #pragma in preprocessed text");
    check_fails(*state, "_Pragma(1)", "_Pragma", "_Pragma needs one string literal in parentheses");
}

static void names_compare_without_splices_and_ucns(void **state)
{
    ast_function *fn = parse(*state, "void f(int \\u00e9a) { \xc3\xa9\\\na = 1; in\\\nt b; }");
    assert_ptr_equal(find_node(fn, AST_IDENT, 0)->ref, fn->params.at[0]);
    assert_non_null(find_decl(fn, "b", DECL_VAR));
}

/* ---- expressions ------------------------------------------------------------------------------
 */

static void operators_bind_by_precedence(void **state)
{
    arena *mem = *state;
    check_expression(mem, "a = b + c * d - e",
                     "ASSIGN =(IDENT `a` BINARY -(BINARY +(IDENT `b` BINARY *(IDENT `c` "
                     "IDENT `d`)) IDENT `e`))");
    check_expression(mem, "a || b && c | d ^ e & f == g < h << i",
                     "OR_OR(IDENT `a` AND_AND(IDENT `b` BINARY |(IDENT `c` BINARY ^(IDENT `d` "
                     "BINARY &(IDENT `e` BINARY ==(IDENT `f` BINARY <(IDENT `g` BINARY <<("
                     "IDENT `h` IDENT `i`))))))))");
    check_expression(mem, "a ? b, c : d ? e : f",
                     "CONDITIONAL(IDENT `a` COMMA(IDENT `b` IDENT `c`) CONDITIONAL(IDENT `d` "
                     "IDENT `e` IDENT `f`))");
    check_expression(mem, "a ?: b", "CONDITIONAL(IDENT `a` - IDENT `b`)");
    check_expression(mem, "a = b += c, d",
                     "COMMA(ASSIGN =(IDENT `a` ASSIGN +(IDENT `b` IDENT `c`)) IDENT `d`)");
}

static void unary_and_postfix_operators(void **state)
{
    arena *mem = *state;
    check_expression(mem, "*a++", "UNARY *(POSTFIX ++(IDENT `a`))");
    check_expression(mem, "--a->b.c[1]",
                     "PREFIX --(INDEX(MEMBER . `c`(MEMBER -> `b`(IDENT `a`)) NUMBER `1`))");
    check_expression(mem, "-!~&a", "UNARY -(UNARY !(UNARY ~(UNARY &(IDENT `a`))))");
    check_expression(mem, "__real__ a + __imag b",
                     "BINARY +(UNARY __real__(IDENT `a`) UNARY __imag__(IDENT `b`))");
    check_expression(mem, "&&here", "LABEL_ADDR `here`");
    check_expression(mem, "f(a, (b, c))(d)",
                     "CALL(CALL(IDENT `f` IDENT `a` PAREN(COMMA(IDENT `b` IDENT `c`))) IDENT `d`)");
    check_expression(mem, "\"a\" \"b\" [0]", "INDEX(STRING `\"a\"` NUMBER `0`)");
}

static void casts_need_a_type_name(void **state)
{
    arena *mem = *state;
    check_expression(mem, "(T)-a", "CAST(TYPE_NAME(SPECIFIERS `T` -) UNARY -(IDENT `a`))");
    check_expression(mem, "(t)-a", "BINARY -(PAREN(IDENT `t`) IDENT `a`)");
    check_expression(mem, "(T)(a)", "CAST(TYPE_NAME(SPECIFIERS `T` -) PAREN(IDENT `a`))");
    check_expression(mem, "(T){1}.x",
                     "MEMBER . `x`(COMPOUND_LITERAL(TYPE_NAME(SPECIFIERS `T` -) "
                     "INIT_LIST(NUMBER `1`)))");
    check_expression(
        mem, "(int (*)(T, ...))a",
        "CAST(TYPE_NAME(SPECIFIERS `int` DECLARATOR `(`(PARAMS(PARAM(SPECIFIERS `T` -)) "
        "-)) IDENT `a`)");
}

static void sizeof_of_types_and_expressions(void **state)
{
    arena *mem = *state;
    check_expression(mem, "sizeof(T) * 2",
                     "BINARY *(SIZEOF_TYPE(TYPE_NAME(SPECIFIERS `T` -)) NUMBER `2`)");
    check_expression(mem, "sizeof(t) * 2", "BINARY *(SIZEOF_EXPR(PAREN(IDENT `t`)) NUMBER `2`)");
    check_expression(mem, "sizeof(T){1}[0]",
                     "SIZEOF_EXPR(INDEX(COMPOUND_LITERAL(TYPE_NAME(SPECIFIERS `T` -) "
                     "INIT_LIST(NUMBER `1`)) NUMBER `0`))");
    check_expression(mem, "++(T){1}.x",
                     "PREFIX ++(MEMBER . `x`(COMPOUND_LITERAL(TYPE_NAME(SPECIFIERS `T` -) "
                     "INIT_LIST(NUMBER `1`))))");
    check_expression(mem, "sizeof a++", "SIZEOF_EXPR(POSTFIX ++(IDENT `a`))");
    check_expression(mem, "__alignof__(a) + _Alignof(T[2])",
                     "BINARY +(SIZEOF_EXPR(PAREN(IDENT `a`)) SIZEOF_TYPE(TYPE_NAME(SPECIFIERS `T` "
                     "DECLARATOR `[`(ARRAY_BOUND(NUMBER `2`) -))))");
}

static void builtins_with_types(void **state)
{
    arena *mem = *state;
    check_expression(mem, "__builtin_va_arg(ap, T *)",
                     "VA_ARG(IDENT `ap` TYPE_NAME(SPECIFIERS `T` DECLARATOR `*`(-)))");
    check_expression(mem, "va_arg(ap, T)", "VA_ARG(IDENT `ap` TYPE_NAME(SPECIFIERS `T` -))");
    check_expression(mem, "__builtin_offsetof(T, a.b[i].c)",
                     "OFFSETOF(TYPE_NAME(SPECIFIERS `T` -) IDENT `i`)");
    check_expression(mem, "__builtin_types_compatible_p(T, int)",
                     "TYPES_COMPATIBLE(TYPE_NAME(SPECIFIERS `T` -) TYPE_NAME(SPECIFIERS `int` -))");
    check_expression(mem, "__builtin_choose_expr(1, a, b)",
                     "CHOOSE_EXPR(NUMBER `1` IDENT `a` IDENT `b`)");
    check_expression(mem, "_Generic(a, T: b, default: c)",
                     "GENERIC(IDENT `a` GENERIC_ASSOC(TYPE_NAME(SPECIFIERS `T` -) IDENT `b`) "
                     "GENERIC_ASSOC(- IDENT `c`))");
    check_expression(mem, "left_unexpanded(a, T)",
                     "CALL(IDENT `left_unexpanded` IDENT `a` TYPE_NAME(SPECIFIERS `T` -))");
    check_expression(mem, "__func__[0]", "INDEX(FUNC_NAME `__func__` NUMBER `0`)");
}

static void markers_become_nodes(void **state)
{
    arena *mem = *state;
    check_expression(mem, "a + __awaitc_await__ f(b)->c",
                     "BINARY +(IDENT `a` AWAIT(MEMBER -> `c`(CALL(IDENT `f` IDENT `b`))))");
    check_expression(mem, "__awaitc_await__ (T)__awaitc_await__ f()",
                     "AWAIT(CAST(TYPE_NAME(SPECIFIERS `T` -) AWAIT(CALL(IDENT `f`))))");
    check_expression(mem, "__awaitc_spawn__(f(a))", "FORM spawn(CALL(IDENT `f` IDENT `a`))");
    check_expression(mem, "__awaitc_all__(a = f(), g())",
                     "FORM all(ASSIGN =(IDENT `a` CALL(IDENT `f`)) CALL(IDENT `g`))");
    check_expression(mem, "__awaitc_scope_spawn__(&s, f())",
                     "FORM scope_spawn(UNARY &(IDENT `s`) CALL(IDENT `f`))");
    check_statements(mem, "__awaitc_defer__ { f(); }",
                     "DEFER(COMPOUND(EXPR_STMT(CALL(IDENT `f`))))");
    check_statements(mem, "l: __awaitc_defer__ { }", "LABEL `l`(DEFER(COMPOUND `{`))");
    check_statements(mem, "if (a) __awaitc_defer__ { }", "IF(IDENT `a` DEFER(COMPOUND `{`) -)");
}

static void a_defer_needs_a_block(void **state)
{
    check_fails(*state, "void f(void) { __awaitc_defer__ g(); }", "g()",
                "a defer needs a compound statement: defer { ... }");
    check_fails(*state, "void f(void) { a = __awaitc_defer__ { }; }", "__awaitc_defer__",
                "a defer cannot be part of an expression");
}

static void unevaluated_operands_are_marked(void **state)
{
    ast_function *fn = parse(*state, "void f(void) { a + sizeof(b[c]); typeof(({ d; })) x;"
                                     "_Generic(e, int: g); __builtin_constant_p(h) + i; }");
    static const char marked[] = "bcdeh", evaluated[] = "agi";
    for (const char *name = marked; *name != '\0'; name++)
        assert_true(find_use(fn, (char[]){*name, '\0'}, 0)->is_unevaluated);
    for (const char *name = evaluated; *name != '\0'; name++)
        assert_false(find_use(fn, (char[]){*name, '\0'}, 0)->is_unevaluated);
    assert_false(find_node(fn, AST_SIZEOF_EXPR, 0)->is_unevaluated);
}

static void constants_are_marked(void **state)
{
    arena *mem = *state;
    static const char *const constants[] = {
        "1",        "'a'",       "\"s\"",    "-1 + (E) * 2", "(T)1",
        "sizeof a", "1 ? 2 : E", "__func__", "&&l",          "__builtin_offsetof(T, m[E])",
        "g",        "nullptr",   "1 ?: 2"};
    static const char *const others[] = {
        "a",        "*\"s\"", "1 + a",       "file_scope",
        "f()",      "(1, 2)", "(T (*)[a])0", "__builtin_offsetof(T, m[a])",
        "a ? 1 : 2"};
    for (size_t i = 0; i < COUNTOF(constants) + COUNTOF(others); i++) {
        bool is_constant = i < COUNTOF(constants);
        const char *e = is_constant ? constants[i] : others[i - COUNTOF(constants)];
        ast_function *fn =
            parse(mem, arena_printf(mem, "void f(int a) { enum { E }; int g(void); %s; l: ; }", e));
        assert_int_equal(body_of(fn)->kid[2]->kid[0]->is_const_expr, is_constant);
    }
}

/* ---- declarations -----------------------------------------------------------------------------
 */

static void declarators_nest_in_source_order(void **state)
{
    arena *mem = *state;
    check_statements(mem, "T (*a[2])(int b), *c = 0;",
                     "DECL_STMT(SPECIFIERS `T` DECLARATOR `a`(ARRAY_BOUND(NUMBER `2`) PARAMS("
                     "PARAM(SPECIFIERS `int` DECLARATOR `b`(-))) -) DECLARATOR `c`(NUMBER `0`))");
    check_statements(mem, "T f1(int (T), T (g));",
                     "DECL_STMT(SPECIFIERS `T` DECLARATOR `f1`(PARAMS(PARAM(SPECIFIERS `int` "
                     "DECLARATOR `(`(PARAMS(PARAM(SPECIFIERS `T` -)) -)) PARAM(SPECIFIERS `T` "
                     "DECLARATOR `g`(-))) -))");
    check_statements(mem, "int a[static_n], b[];",
                     "DECL_STMT(SPECIFIERS `int` DECLARATOR `a`(ARRAY_BOUND(IDENT `static_n`) -) "
                     "DECLARATOR `b`(ARRAY_BOUND(-) -))");
    check_statements(mem, "void g(int n, int a[static const n], int b[*], int [3]);",
                     "DECL_STMT(SPECIFIERS `void` DECLARATOR `g`(PARAMS(PARAM(SPECIFIERS `int` "
                     "DECLARATOR `n`(-)) PARAM(SPECIFIERS `int` DECLARATOR `a`(ARRAY_BOUND("
                     "IDENT `n`) -)) PARAM(SPECIFIERS `int` DECLARATOR `b`(ARRAY_BOUND(-) -)) "
                     "PARAM(SPECIFIERS `int` DECLARATOR `[`(ARRAY_BOUND(NUMBER `3`) -))) -))");
    check_statements(mem, "int a __asm__(\"x\") __attribute__((unused)) = 1;",
                     "DECL_STMT(SPECIFIERS `int` DECLARATOR `a`(ASM_LABEL `__asm__` "
                     "ATTRIBUTE `__attribute__` NUMBER `1`))");
}

static void initialisers_and_designators(void **state)
{
    arena *mem = *state;
    check_statements(mem, "T a = {1, .b[2].c = {}, d: 3, [4 ... 5] = 6, [7] 8,};",
                     "DECL_STMT(SPECIFIERS `T` DECLARATOR `a`(INIT_LIST(NUMBER `1` DESIGNATED("
                     "DESIG_FIELD `b` DESIG_INDEX(NUMBER `2` -) DESIG_FIELD `c` INIT_LIST `{`) "
                     "DESIGNATED(DESIG_FIELD `d` NUMBER `3`) DESIGNATED(DESIG_INDEX(NUMBER `4` "
                     "NUMBER `5`) NUMBER `6`) DESIGNATED(DESIG_INDEX(NUMBER `7` -) NUMBER `8`))))");
}

static void specifiers_have_parts(void **state)
{
    arena *mem = *state;
    check_statements(mem, "static struct s { int a : 3, : 0; struct { T; }; } b;",
                     "DECL_STMT(SPECIFIERS(TAG_DEF `s`(FIELD_DECL(SPECIFIERS `int` "
                     "DECLARATOR `a`(BIT_WIDTH(NUMBER `3`) -) DECLARATOR `:`(BIT_WIDTH(NUMBER `0`) "
                     "-)) FIELD_DECL(SPECIFIERS(TAG_DEF `struct`(FIELD_DECL(SPECIFIERS `T`)))))) "
                     "DECLARATOR `b`(-))");
    check_statements(mem, "enum e : int { A, B = 2, } c;",
                     "DECL_STMT(SPECIFIERS(TAG_DEF `e`(SPECIFIERS `int` ENUMERATOR `A`(-) "
                     "ENUMERATOR `B`(NUMBER `2`))) DECLARATOR `c`(-))");
    check_statements(mem, "const typeof(a) b; _Atomic(T) c; _Atomic T d; _Alignas(8) char e;",
                     "DECL_STMT(SPECIFIERS(TYPEOF(IDENT `a`)) DECLARATOR `b`(-)); "
                     "DECL_STMT(SPECIFIERS(ATOMIC_TYPE(TYPE_NAME(SPECIFIERS `T` -))) "
                     "DECLARATOR `c`(-)); DECL_STMT(SPECIFIERS `_Atomic` DECLARATOR `d`(-)); "
                     "DECL_STMT(SPECIFIERS(ALIGNAS(NUMBER `8`)) DECLARATOR `e`(-))");
    check_statements(mem, "_BitInt(A) a; _Static_assert(1, \"x\"); static_assert(2);",
                     "DECL_STMT(SPECIFIERS(IDENT `A`) DECLARATOR `a`(-)); "
                     "STATIC_ASSERT(NUMBER `1` STRING `\"x\"`); STATIC_ASSERT(NUMBER `2` -)");
    check_statements(mem, "__extension__ unsigned long long a; [[gnu::unused]] T b;",
                     "DECL_STMT(SPECIFIERS `__extension__` DECLARATOR `a`(-)); "
                     "DECL_STMT(SPECIFIERS(ATTRIBUTE `[`) DECLARATOR `b`(-))");
}

static void typedef_names_come_and_go_with_scopes(void **state)
{
    arena *mem = *state;
    check_statements(mem, "T * a; { int T; T * a; } T * a;",
                     "DECL_STMT(SPECIFIERS `T` DECLARATOR `a`(-)); "
                     "COMPOUND(DECL_STMT(SPECIFIERS `int` DECLARATOR `T`(-)) "
                     "EXPR_STMT(BINARY *(IDENT `T` IDENT `a`))); "
                     "DECL_STMT(SPECIFIERS `T` DECLARATOR `a`(-))");
    check_statements(mem, "typedef int t; { t t = sizeof(t); (t) + 1; } (t) + 1;",
                     "DECL_STMT(SPECIFIERS `typedef` DECLARATOR `t`(-)); "
                     "COMPOUND(DECL_STMT(SPECIFIERS `t` DECLARATOR `t`(SIZEOF_EXPR(PAREN("
                     "IDENT `t`)))) EXPR_STMT(BINARY +(PAREN(IDENT `t`) NUMBER `1`))); "
                     "EXPR_STMT(CAST(TYPE_NAME(SPECIFIERS `t` -) UNARY +(NUMBER `1`)))");
    check_statements(mem, "T: T a; unsigned T; struct T { int T; } b;",
                     "LABEL `T`(-); DECL_STMT(SPECIFIERS `T` DECLARATOR `a`(-)); "
                     "DECL_STMT(SPECIFIERS `unsigned` DECLARATOR `T`(-)); "
                     "DECL_STMT(SPECIFIERS(TAG_DEF `T`(FIELD_DECL(SPECIFIERS `int` "
                     "DECLARATOR `T`(-)))) DECLARATOR `b`(-))");
    check_statements(mem, "int g(int T, int a[sizeof(T)]); (T)a;",
                     "DECL_STMT(SPECIFIERS `int` DECLARATOR `g`(PARAMS(PARAM(SPECIFIERS `int` "
                     "DECLARATOR `T`(-)) PARAM(SPECIFIERS `int` DECLARATOR `a`(ARRAY_BOUND("
                     "SIZEOF_EXPR(PAREN(IDENT `T`))) -))) -)); "
                     "EXPR_STMT(CAST(TYPE_NAME(SPECIFIERS `T` -) IDENT `a`))");
}

static void new_keywords_may_be_names(void **state)
{
    arena *mem = *state;
    check_statements(mem, "bool a = true;",
                     "DECL_STMT(SPECIFIERS `bool` DECLARATOR `a`(NUMBER `true`))");
    check_statements(mem, "int bool = 1, true; bool * true; a.bool;",
                     "DECL_STMT(SPECIFIERS `int` DECLARATOR `bool`(NUMBER `1`) "
                     "DECLARATOR `true`(-)); EXPR_STMT(BINARY *(IDENT `bool` IDENT `true`)); "
                     "EXPR_STMT(MEMBER . `bool`(IDENT `a`))");
    check_statements(mem, "typedef _Bool bool; (bool)1;",
                     "DECL_STMT(SPECIFIERS `typedef` DECLARATOR `bool`(-)); "
                     "EXPR_STMT(CAST(TYPE_NAME(SPECIFIERS `bool` -) NUMBER `1`))");
    check_statements(mem, "auto a = nullptr; constexpr int b = 1;",
                     "DECL_STMT(SPECIFIERS `auto` DECLARATOR `a`(NUMBER `nullptr`)); "
                     "DECL_STMT(SPECIFIERS `constexpr` DECLARATOR `b`(NUMBER `1`))");
}

static void declarations_know_their_kind(void **state)
{
    ast_function *fn =
        parse(*state,
              "void f(void) { static _Thread_local int a; extern int b; register int c "
              "asm(\"ebx\"); int d(void), (*e)(void), *g(int); typedef int h; enum i { j }; "
              "struct { int k; } l; struct m; __label__ n; o: ; int p __attribute__((unused, "
              "__cleanup__(q))), r; __awaitc_async__ int s(void), (*__awaitc_async__ t)(void); }");
    static const struct {
        const char *name;
        enum ast_decl_kind kind;
        enum ast_storage storage;
    } expected[] = {
        {"a", DECL_VAR, STORAGE_STATIC},      {"b", DECL_VAR, STORAGE_EXTERN},
        {"c", DECL_VAR, STORAGE_REGISTER},    {"d", DECL_FUNCTION, STORAGE_AUTO},
        {"e", DECL_VAR, STORAGE_AUTO},        {"g", DECL_FUNCTION, STORAGE_AUTO},
        {"h", DECL_TYPEDEF, STORAGE_AUTO},    {"i", DECL_TAG, STORAGE_AUTO},
        {"j", DECL_ENUMERATOR, STORAGE_AUTO}, {"k", DECL_FIELD, STORAGE_AUTO},
        {"m", DECL_TAG, STORAGE_AUTO},        {"n", DECL_LABEL, STORAGE_AUTO},
        {"o", DECL_LABEL, STORAGE_AUTO},      {"s", DECL_FUNCTION, STORAGE_AUTO},
    };
    for (size_t i = 0; i < COUNTOF(expected); i++) {
        const ast_decl *d = find_decl(fn, expected[i].name, expected[i].kind);
        assert_non_null(d);
        assert_int_equal(d->storage, expected[i].storage);
    }
    assert_true(find_decl(fn, "a", DECL_VAR)->is_thread_local);
    assert_true(find_decl(fn, "c", DECL_VAR)->has_asm_register);
    assert_true(find_decl(fn, "i", DECL_TAG)->is_complete_tag);
    assert_false(find_decl(fn, "m", DECL_TAG)->is_complete_tag);
    assert_true(find_decl(fn, "", DECL_TAG)->is_complete_tag);
    assert_true(sv_is(find_decl(fn, "p", DECL_VAR)->cleanup_function, "q"));
    assert_null(find_decl(fn, "r", DECL_VAR)->cleanup);
    assert_true(find_decl(fn, "s", DECL_FUNCTION)->is_async);
    assert_true(find_decl(fn, "t", DECL_VAR)->is_async);
    assert_false(find_decl(fn, "e", DECL_VAR)->is_async);
}

static void names_resolve_to_the_innermost_declaration(void **state)
{
    ast_function *fn = parse(*state, "int f(int a) { int b = a; { int a = a + b; a; } a;"
                                     "for (int a = 0; a;) ; file; enum { a2 = 3 }; a2; g(a); }");
    const ast_decl *param = fn->params.at[0];
    assert_ptr_equal(find_use(fn, "a", 0)->ref, param);
    const ast_decl *inner = find_use(fn, "a", 1)->ref; /* its own initialiser */
    assert_ptr_not_equal(inner, param);
    assert_ptr_equal(find_use(fn, "a", 2)->ref, inner);
    assert_ptr_equal(find_use(fn, "a", 3)->ref, param);
    assert_int_equal(find_use(fn, "a", 4)->ref->scope->node->kind, AST_FOR);
    assert_ptr_equal(find_use(fn, "a", 5)->ref, param);
    assert_null(find_use(fn, "file", 0)->ref);
    assert_int_equal(find_use(fn, "a2", 0)->ref->kind, DECL_ENUMERATOR);
    assert_ptr_equal(param->scope, fn->root->scope);
    assert_ptr_equal(body_of(fn)->scope->parent, fn->root->scope);
}

static void labels_resolve_forward_and_by_block(void **state)
{
    ast_function *fn = parse(*state, "void f(void) { goto a; a: ; { __label__ a; goto a; a: ; } "
                                     "goto *&&a; goto nowhere; }");
    ast_node *outer = find_node(fn, AST_LABEL, 0), *inner = find_node(fn, AST_LABEL, 1);
    assert_ptr_equal(find_node(fn, AST_GOTO, 0)->ref, outer->ref);
    assert_ptr_equal(find_node(fn, AST_GOTO, 1)->ref, inner->ref);
    assert_ptr_not_equal(outer->ref, inner->ref);
    assert_ptr_equal(find_node(fn, AST_LABEL_ADDR, 0)->ref, outer->ref);
    assert_null(find_node(fn, AST_GOTO, 2)->ref);
    assert_ptr_equal(outer->ref->declarator, outer);
    assert_int_equal(fn->labels.count, 2);
}

/* ---- statements --------------------------------------------------------------------------------
 */

static void loops_and_selections(void **state)
{
    arena *mem = *state;
    check_statements(mem, "if (a) if (b) c; else d;",
                     "IF(IDENT `a` IF(IDENT `b` EXPR_STMT(IDENT `c`) EXPR_STMT(IDENT `d`)) -)");
    check_statements(mem, "if (a) ; else if (b) ; else { }",
                     "IF(IDENT `a` NULL_STMT `;` IF(IDENT `b` NULL_STMT `;` COMPOUND `{`))");
    check_statements(mem, "while (a) do b; while (c);",
                     "WHILE(IDENT `a` DO(EXPR_STMT(IDENT `b`) IDENT `c`))");
    check_statements(mem, "for (;;) break; for (a; b; c) continue; for (T d;;) ;",
                     "FOR(- - - BREAK `break`); FOR(EXPR_STMT(IDENT `a`) IDENT `b` IDENT `c` "
                     "CONTINUE `continue`); FOR(DECL_STMT(SPECIFIERS `T` DECLARATOR `d`(-)) - - "
                     "NULL_STMT `;`)");
    check_statements(mem, "switch (a) { case 1: case 2 ... 3: b; default: }",
                     "SWITCH(IDENT `a` COMPOUND(CASE(NUMBER `1` - CASE(NUMBER `2` NUMBER `3` "
                     "EXPR_STMT(IDENT `b`))) DEFAULT(-)))");
    check_statements(mem, "goto *a; goto b; b: return; return a; ;",
                     "GOTO_COMPUTED(IDENT `a`); GOTO `b`; LABEL `b`(RETURN(-)); "
                     "RETURN(IDENT `a`); NULL_STMT `;`");
    check_statements(mem, "({ int a; a; });",
                     "EXPR_STMT(STMT_EXPR(COMPOUND(DECL_STMT(SPECIFIERS `int` DECLARATOR `a`(-)) "
                     "EXPR_STMT(IDENT `a`))))");
}

static void asm_has_its_operands(void **state)
{
    check_statements(*state,
                     "asm(\"a\" \"b\"); asm volatile goto (\"x\" : [o] \"=r\"(a), \"+m\"(*b) : "
                     "\"r\"(c) : \"cc\", \"memory\" : l); asm(\"\"::: \"cc\"); l: ;",
                     "ASM `asm`; ASM(IDENT `a` UNARY *(IDENT `b`) IDENT `c`); ASM `asm`; "
                     "LABEL `l`(NULL_STMT `;`)");
}

static void attributes_of_statements_stay_text(void **state)
{
    ast_function *fn = parse(*state, "void f(void) { __attribute__((fallthrough)); [[x]] a; "
                                     "[[y]] l: b; m: __attribute__((unused)) ; }");
    const ast_node *body = body_of(fn);
    assert_int_equal(body->kid[0]->kind, AST_ATTRIBUTE_STMT);
    assert_true(sv_is(ast_node_text(fn, body->kid[1]), "[[x]] a;"));
    assert_int_equal(body->kid[1]->kind, AST_EXPR_STMT);
    assert_true(sv_is(ast_node_text(fn, body->kid[2]), "[[y]] l: b;"));
    assert_int_equal(body->kid[2]->kind, AST_LABEL);
    assert_int_equal(body->kid[3]->kind, AST_LABEL);
    assert_int_equal(body->kid[3]->kid[0]->kind, AST_ATTRIBUTE_STMT);
}

static void pragmas_are_statements_or_text(void **state)
{
    arena *mem = *state;
    check_statements(mem, "\n#pragma a\n b; _Pragma(\"c\")",
                     "PRAGMA `#pragma a`; EXPR_STMT(IDENT `b`); PRAGMA `_Pragma(\"c\")`");
    check_statements(mem, "if (a)\n#pragma b\n c; d(\n#pragma e\n);",
                     "IF(IDENT `a` EXPR_STMT(IDENT `c`) -); EXPR_STMT(CALL(IDENT `d`))");
    check_statements(mem, "case 1:\n#pragma b\n int c;",
                     "CASE(NUMBER `1` - -); PRAGMA `#pragma b`; "
                     "DECL_STMT(SPECIFIERS `int` DECLARATOR `c`(-))");
}

static void nested_functions_are_opaque(void **state)
{
    ast_function *fn = parse(*state, "void f(void) { auto int g(int); int g(int a) { int b; goto "
                                     "c; c: return b; } int h(i) int i; { } g(1); }");
    const ast_node *body = body_of(fn);
    assert_int_equal(body->kid[0]->kind, AST_DECL_STMT);
    assert_int_equal(body->kid[1]->kind, AST_NESTED_FUNCTION);
    assert_int_equal(body->kid[1]->kid_count, 0);
    assert_int_equal(body->kid[2]->kind, AST_NESTED_FUNCTION);
    assert_true(sv_is(ast_node_text(fn, body->kid[2]), "int h(i) int i; { }"));
    assert_null(find_decl(fn, "b", DECL_VAR));
    assert_null(find_decl(fn, "c", DECL_LABEL));
    assert_ptr_equal(find_use(fn, "g", 0)->ref->declarator, body->kid[1]);
}

/* ---- functions, errors, limits ------------------------------------------------------------------
 */

static void a_function_knows_what_its_header_says(void **state)
{
    arena *mem = *state;
    ast_function *fn = parse(
        mem, "__attribute__((noreturn)) static inline __awaitc_async__ int *g(T a, int, ...) { }");
    assert_true(sv_is(fn->name, "g"));
    assert_true(fn->is_async && fn->is_static && fn->is_inline && fn->is_noreturn);
    assert_true(fn->is_variadic && !fn->is_old_style);
    assert_int_equal(fn->params.count, 2);
    assert_int_equal(fn->params.at[1]->name.len, 0);
    assert_int_equal(fn->params.at[1]->id, 1);
    fn = parse(mem, "int (*(g)(struct s { int x; } a))(int b) { }");
    assert_true(sv_is(fn->name, "g"));
    assert_int_equal(fn->params.count, 1);
    assert_true(sv_is(fn->params.at[0]->name, "a"));
    assert_false(fn->is_async || fn->is_static || fn->is_variadic);
    fn = parse(mem, "void g(int n; int a[n], int n) { }");
    assert_int_equal(fn->params.count, 2);
    assert_true(sv_is(fn->params.at[1]->name, "n"));
    fn = parse(mem, "void g(void) { }");
    assert_int_equal(fn->params.count, 0);
    fn = parse(mem, "g(a, b) char *b; { b; }");
    assert_true(fn->is_old_style);
    assert_int_equal(fn->params.count, 2);
    assert_ptr_equal(find_use(fn, "b", 0)->ref, fn->params.at[1]);
}

static void wrong_syntax_is_one_error_at_its_place(void **state)
{
    arena *mem = *state;
    check_fails(mem, "int f(void) { return 1 }", "}", "expected ';' after a jump");
    check_fails(mem, "int f(void) { a b; }", "b;", "expected ';' after an expression");
    check_fails(mem, "int f(void) { (1; }", "; }", "expected ')'");
    check_fails(mem, "int f(unknown x) { }", "x)", "expected ')' after parameters");
    check_fails(mem, "int f(void) { } int g;", "int g", "text after the function's end");
    check_fails(mem, "int f;", ";", "expected a function definition");
    check_fails(mem, "int f(void);", ";", "expected the function's body");
    check_fails(mem, "", "", "expected a name to declare");
    check_fails(mem, "void f(void) { if (a) ", "", "expected an expression");
    check_fails(mem, "void f(void) { __attribute__((x }", "((x", "no partner of this bracket");
}

static const char *repeated(arena *mem, const char *head, const char *part, size_t count,
                            const char *tail)
{
    strbuf b = strbuf_in(mem);
    strbuf_str(&b, head);
    for (size_t i = 0; i < count; i++)
        strbuf_str(&b, part);
    strbuf_str(&b, tail);
    return strbuf_text(&b);
}

static void nesting_has_a_limit(void **state)
{
    static const char *const parts[] = {"(",       "{",        "f(",         "a[",  "if (a) ",
                                        "({",      "(T)",      "sizeof ",    "- ",  "a ? ",
                                        "a = ",    "T a = {{", "_Generic(",  "do ", "(struct {",
                                        "typeof(", "int (*",   "l: for (;;)"};
    for (size_t i = 0; i < COUNTOF(parts); i++) {
        arena *mem = arena_create();
        struct ast_parse_error error = {0};
        assert_null(try_parse(mem, repeated(mem, "void f(void) {", parts[i], 20000, ""), &error));
        arena_destroy(&mem);
    }
    check_fails(*state, repeated(*state, "void f(void) {", "(", 5000, ""), "(",
                "nesting deeper than 2000 levels");
    parse(*state,
          repeated(*state, repeated(*state, "void f(void) {", "(", 1900, "1"), ")", 1900, ";}"));
}

static void long_chains_do_not_nest(void **state)
{
    static const char *const chains[][3] = {
        {"if (a) ;", "else if (a) ;", ""},
        {"a", " + b * c", ";"},
        {"a", ", a", ";"},
        {"", "case 1: ", ";"},
        {"a", " ? b : c", ";"},
        {"a", "(1)[2].b->c++", ";"},
        {"int a", ", *a", ";"},
        {"a", " || b && c", ";"},
        {"\"a\"", " \"b\"", ";"},
    };
    (void)state;
    for (size_t i = 0; i < COUNTOF(chains); i++) {
        arena *mem = arena_create();
        const char *head = arena_printf(mem, "void f(void) {%s", chains[i][0]);
        const char *tail = arena_printf(mem, "%s}", chains[i][2]);
        parse(mem, repeated(mem, head, chains[i][1], 100000, tail));
        arena_destroy(&mem);
    }
}

/* A function with a bit of everything, cut off after each byte. */
static void truncated_text_is_an_error_or_a_tree(void **state)
{
    static const char text[] =
        "static __awaitc_async__ int f(int a, T *b, char c[static 2]) { struct s { int x : 3; T y; "
        "} v = {.x = 1, [2 ... 3] = a}; if (a) l: for (int i = 0; i < 3; i++) { switch (i) { case "
        "1 "
        "... 2: break; default: ; } } else do { a = b ? *b : (T)1; } while (sizeof(T) - 1); "
        "__awaitc_defer__ { g(&&l); } asm(\"x\" : \"=r\"(a) : : \"cc\"); _Generic(a, int: 1); "
        "return "
        "({ __awaitc_await__ g(__awaitc_all__(h(1), h(2))); }); }";
    (void)state;
    for (uint32_t len = 0; len < sizeof text; len++) {
        arena *mem = arena_create();
        struct ast_parse_error error = {0};
        const struct ast_parse_request request = {
            .mem = mem, .buffer = {text, len}, .end = len, .is_typedef = begins_with_t};
        ast_function *fn = ast_parse(&request, &error);
        assert_true((fn != NULL) == (len == sizeof text - 1));
        assert_true(error.offset <= len);
        arena_destroy(&mem);
    }
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest cases[] = {
        CASE(keywords_are_sorted_and_found),
        CASE(punctuators_are_found),
        CASE(tokens_of_every_kind),
        CASE(text_that_is_no_token_is_an_error),
        CASE(names_compare_without_splices_and_ucns),
        CASE(operators_bind_by_precedence),
        CASE(unary_and_postfix_operators),
        CASE(casts_need_a_type_name),
        CASE(sizeof_of_types_and_expressions),
        CASE(builtins_with_types),
        CASE(markers_become_nodes),
        CASE(a_defer_needs_a_block),
        CASE(unevaluated_operands_are_marked),
        CASE(constants_are_marked),
        CASE(declarators_nest_in_source_order),
        CASE(initialisers_and_designators),
        CASE(specifiers_have_parts),
        CASE(typedef_names_come_and_go_with_scopes),
        CASE(new_keywords_may_be_names),
        CASE(declarations_know_their_kind),
        CASE(names_resolve_to_the_innermost_declaration),
        CASE(labels_resolve_forward_and_by_block),
        CASE(loops_and_selections),
        CASE(asm_has_its_operands),
        CASE(attributes_of_statements_stay_text),
        CASE(pragmas_are_statements_or_text),
        CASE(nested_functions_are_opaque),
        CASE(a_function_knows_what_its_header_says),
        CASE(wrong_syntax_is_one_error_at_its_place),
        CASE(nesting_has_a_limit),
        CASE(long_chains_do_not_nest),
        CASE(truncated_text_is_an_error_or_a_tree),
    };
    return cmocka_run_group_tests_name("ast_parse", cases, NULL, NULL);
}
