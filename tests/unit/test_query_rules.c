/* SPDX-License-Identifier: MIT */
/* Do query rules find what their patterns and predicates say, and are their errors told? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/query/query_rules.h"

/* A folder for rules that a test writes. */
struct fixture {
    arena *mem;
    char folder[64];
    const char *file;
    diag_sink *sink;
};

static int set_up(void **state)
{
    static struct fixture f;
    f = (struct fixture){.mem = arena_create(), .folder = "query_rules_XXXXXX"};
    f.sink = diag_sink_new(f.mem);
    if (mkdtemp(f.folder) == NULL)
        return 1;
    f.file = arena_printf(f.mem, "%s/rule.scm", f.folder);
    *state = &f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    unlink(f->file);
    unlink(arena_printf(f->mem, "%s/rule.test.c", f->folder));
    rmdir(f->folder);
    arena_destroy(&f->mem);
    return 0;
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static query_rules *load(struct fixture *f, const char *rule)
{
    static const char *const annotations[] = {"coroutine_fn"};
    const char *folders[] = {f->folder};
    write_file(f->file, rule);
    struct query_options options = {
        .folders = folders, .folder_count = 1, .annotations = annotations, .annotation_count = 1};
    return query_rules_load(&options, f->sink);
}

/* "line:column-end id message {fix}; ..." */
static const char *findings(arena *mem, query_rules *rules, const char *source)
{
    finding_list list = {.mem = mem};
    assert_int_equal(query_rules_run(rules, QUERY_FALLBACK, "a.c", sv_from(source), &list),
                     QUERY_RUN_OK);
    strbuf out = strbuf_in(mem);
    for (size_t i = 0; i < list.all.count; i++) {
        const struct finding *x = list.all.at[i];
        strbuf_fmt(&out, "%s%u:%u-%u %s", i > 0 ? "; " : "", x->place.line, x->place.column,
                   x->end_column, x->message);
        for (size_t k = 0; k < x->fixes.count; k++)
            strbuf_fmt(&out, " {%s}", x->fixes.at[k].edits.at[0].text);
    }
    return strbuf_text(&out);
}

/* What a rule with these patterns finds. */
static const char *found(struct fixture *f, const char *patterns, const char *source)
{
    query_rules *rules = load(f, arena_printf(f->mem, "; id: t-x\n; message: m\n\n%s\n", patterns));
    assert_int_equal(diag_error_count(f->sink), 0);
    assert_int_equal(query_rules_count(rules), 1);
    const char *text = findings(f->mem, rules, source);
    query_rules_free(&rules);
    return text;
}

/* What is printed about a rule file. */
static const char *errors(struct fixture *f, const char *rule)
{
    query_rules *rules = load(f, rule);
    assert_int_equal(query_rules_count(rules), 0);
    query_rules_free(&rules);
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    diag_print(f->sink, out, false);
    fclose(out);
    const char *start = strstr(text, "rule.scm");
    const char *copy = start == NULL ? "" : arena_strndup(f->mem, start, strcspn(start, "\n"));
    free(text);
    return copy;
}

static void head_gives_message_and_fix(void **state)
{
    struct fixture *f = *state;
    query_rules *rules = load(f, ";; Why: no limit.\n"
                                 "; id: our-no-strcpy\n; severity: error\n"
                                 "; message: 'strcpy' into '{to}'\n;     has {{no} limit\n"
                                 "; fix: copy({to}, {from})\n\n"
                                 "((call_expression function: (identifier) @f\n"
                                 "   arguments: (argument_list (_) @to (_) @from)) @report\n"
                                 " (#eq? @f \"strcpy\"))\n");
    assert_int_equal(query_rules_count(rules), 1);
    assert_string_equal(query_rules_at(rules, 0)->id, "our-no-strcpy");
    assert_int_equal(query_rules_at(rules, 0)->severity, DIAG_ERROR);
    assert_string_equal(findings(f->mem, rules, "void g(void) {\n    strcpy(a->b, \"x\");\n}\n"),
                        "2:5-22 'strcpy' into 'a->b' has {no} limit {copy(a->b, \"x\")}");
    query_rules_free(&rules);
}

static void findings_carry_function_and_leaf(void **state)
{
    struct fixture *f = *state;
    query_rules *rules = load(f, "; id: t-x\n; message: m\n(call_expression) @c\n");
    finding_list list = {.mem = f->mem};
    const char *source = "static int *(*g(int a))[3] { h( a\n); }\nint x = k(2);\n";
    query_rules_run(rules, QUERY_ALWAYS, "a.c", sv_from(source), &list);
    query_rules_free(&rules);
    assert_int_equal(list.all.count, 2);
    assert_string_equal(list.all.at[0]->function, "g");
    assert_string_equal(list.all.at[0]->leaf, "h( a )");
    assert_int_equal(list.all.at[0]->end_column, 0);
    assert_null(list.all.at[1]->function);
    assert_string_equal(list.all.at[1]->rule, "t-x");
}

static void predicates_see_the_text_as_written(void **state)
{
    struct fixture *f = *state;
    const char *source = "async int f(void) { return await g(1) + -g(2); }";
    assert_string_equal(found(f, "((type_qualifier) @q (#eq? @q \"async\"))", source), "1:1-6 m");
    assert_string_equal(found(f, "((unary_expression) @a (#match? @a \"^await\"))", source),
                        "1:28-38 m");
}

static void text_predicates(void **state)
{
    struct fixture *f = *state;
    const char *source = "int a = b(b); int c = d(e); int k9 = 3;";
    assert_string_equal(found(f,
                              "((call_expression function: (_) @f arguments: (argument_list (_) "
                              "@a)) (#eq? @f @a))",
                              source),
                        "1:9-10 m");
    assert_string_equal(found(f,
                              "((call_expression function: (_) @f arguments: (argument_list (_) "
                              "@a)) (#not-eq? @f @a))",
                              source),
                        "1:23-24 m");
    assert_string_equal(found(f, "((call_expression) @c (#any-of? @c \"x\" \"d(e)\"))", source),
                        "1:23-27 m");
    assert_string_equal(found(f, "((call_expression) @c (#not-any-of? @c \"x\" \"d(e)\"))", source),
                        "1:9-13 m");
    assert_string_equal(found(f, "((identifier) @i (#match? @i \"^[\\\\w]\\\\d+$\"))", source),
                        "1:33-35 m");
    assert_string_equal(
        found(f, "((identifier) @i (#not-match? @i \"(?i)^(?:A|B|C|D|e)$\"))", source),
        "1:33-35 m");
}

static void quantified_captures(void **state)
{
    struct fixture *f = *state;
    const char *source = "void f(void) { a; x; }\nvoid g(void) { a; b; }";
    assert_string_equal(
        found(f, "((compound_statement (_)* @a) @report (#any-match? @a \"^x\"))", source),
        "1:14-23 m");
    assert_string_equal(
        found(f, "((compound_statement (_)* @a) @report (#not-match? @a \"^x\"))", source),
        "2:14-23 m");
}

static void place_predicates(void **state)
{
    struct fixture *f = *state;
    const char *source = "int f(void) { while (x) { a(); /* a */ } b(c()); }";
    assert_string_equal(
        found(f, "((call_expression) @c (#has-ancestor? @c \"while_statement\"))", source),
        "1:27-30 m");
    assert_string_equal(
        found(f, "((call_expression) @c (#has-parent? @c \"argument_list\"))", source),
        "1:44-47 m");
    assert_string_equal(found(f,
                              "((call_expression) @c (#not-has-parent? @c \"argument_list\")"
                              " (#not-has-ancestor? @c \"while_statement\"))",
                              source),
                        "1:42-48 m");
    assert_string_equal(found(f, "((expression_statement) @c (#only-child? @c))", source),
                        "1:27-31 m");
    assert_string_equal(found(f, "((call_expression) @c (#argument-of? @c \"a\" \"b\"))", source),
                        "1:44-47 m");
}

static void async_predicates(void **state)
{
    struct fixture *f = *state;
    const char *source = "static async int f(void) { a(await b()); }\n"
                         "int coroutine_fn g(void) { c(); }\n"
                         "void h(async int (*p)(int)) { d(); }\n";
    assert_string_equal(found(f, "((call_expression) @c (#in-async? @c))", source),
                        "1:28-40 m; 1:36-39 m; 2:28-31 m");
    assert_string_equal(found(f, "((call_expression) @c (#not-in-async? @c))", source),
                        "3:31-34 m");
    assert_string_equal(found(f, "((call_expression) @c (#has-await? @c))", source), "1:28-40 m");
    assert_string_equal(found(f, "((call_expression) @c (#in-async? @c))", "void f(void) { a(); }"),
                        "");
}

static void held_predicate(void **state)
{
    struct fixture *f = *state;
    const char *rule = "((call_expression) @c (#held? @c \"pin\" \"unpin\") (#match? @c \"^x\"))";
    assert_string_equal(found(f, rule, "void f(void) { pin(a); x(); { x(); } unpin(a); x(); }"),
                        "1:24-27 m; 1:31-34 m");
    assert_string_equal(
        found(f, rule, "void f(void) { x(); pin(a); unpin(a); x(); pinned(b); x(); }"), "");
}

static void settings_of_a_pattern(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(found(f,
                              "((call_expression function: (_) @f) (#set! message \"call {f}\")"
                              " (#set! fix \"{f}\"))",
                              "int a = b(1);"),
                        "1:9-10 call b {b}");
}

static void one_finding_a_place(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(
        found(f, "(call_expression) @c\n(call_expression (_) @a) @report\n", "int a = b(1);"),
        "1:9-13 m");
}

static void fixes_before_postfix_operators(void **state)
{
    struct fixture *f = *state;
    assert_string_equal(found(f,
                              "((field_expression argument: (call_expression) @report)"
                              " (#set! fix \"await {report}\"))",
                              "int a = b(1)->c;"),
                        "1:9-13 m {(await b(1))}");
}

static void errors_have_places_and_hints(void **state)
{
    static const struct {
        const char *rule, *error;
    } cases[] = {
        {"(call_expression) @c\n", "rule.scm:1:1: error: the rule has no id: start the file with "
                                   "'; id: ourproject-name' [awaitc-input]"},
        {"; id: x\n; mesage: m\n; message: n\n(call_expression) @c\n",
         "rule.scm:2:1: error: a rule has no property 'mesage'; did you mean 'message'?; comments "
         "start with ';;' here [awaitc-input]"},
        {"; id: awaitc-x\n; message: m\n(call_expression) @c\n",
         "rule.scm:1:1: error: ids that start with 'awaitc-' are awaitc's own; choose a prefix of "
         "your project [awaitc-input]"},
        {"; id: x\n; message: m\n; severity: bad\n(call_expression) @c\n",
         "rule.scm:3:1: error: a severity is 'note', 'warning' or 'error' [awaitc-input]"},
        {"; id: x\n; message: m\n\n  (call_expresion) @c\n",
         "rule.scm:4:4: error: C has no node type 'call_expresion'; did you mean "
         "'call_expression'? [awaitc-input]"},
        {"; id: x\n; message: m\n(call_expression functoin: (_) @c)\n",
         "rule.scm:3:18: error: C has no field 'functoin'; did you mean 'function'? "
         "[awaitc-input]"},
        {"; id: x\n; message: m\n((call_expression) @c (#eq? @d \"x\"))\n",
         "rule.scm:3:30: error: no pattern captures '@d' [awaitc-input]"},
        {"; id: x\n; message: m\n(call_expression (break_statement) @c)\n",
         "rule.scm:3:18: error: this can never match: such a node has no such child or field in C "
         "[awaitc-input]"},
        {"; id: x\n; message: m\n(call_expression @c\n",
         "rule.scm:3:18: error: the query cannot be read here: is a parenthesis, bracket or quote "
         "missing? [awaitc-input]"},
        {"; id: x\n; message: m\n((call_expression) @c (#eq? @c \"(#\")\n (#mach? @c \"x\"))\n",
         "rule.scm:4:3: error: there is no predicate #mach?; did you mean #match?? "
         "[awaitc-input]"},
        {"; id: x\n; message: m\n((call_expression) @c (#match? @c \"a(\"))\n",
         "rule.scm:3:24: error: #match? takes a regular expression, and 'a(' is none: Unmatched ( "
         "or \\( [awaitc-input]"},
        {"; id: x\n; message: m\n((call_expression) @c (#match? @c \"(?=a)\"))\n",
         "rule.scm:3:24: error: #match? takes a regular expression, and '(?=a)' is none: of the "
         "groups that start with (?, only (?:...) is supported [awaitc-input]"},
        {"; id: x\n; message: a {d}\n(call_expression) @c\n",
         "rule.scm:1:1: error: the message names {d}, which no pattern captures [awaitc-input]"},
        {"; id: x\n; message: m\n((call_expression) @c (#set! mesage \"x\"))\n",
         "rule.scm:3:24: error: a pattern has no property 'mesage'; did you mean 'message'? "
         "[awaitc-input]"},
        {"; id: x\n; message: m\n(call_expression)\n",
         "rule.scm:3:1: error: nothing is captured, so that a finding would have no place: add "
         "@report [awaitc-input]"},
        {"; id: x\n; message: m\n", "rule.scm:1:1: error: the file has no pattern [awaitc-input]"},
    };
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        f->sink = diag_sink_new(f->mem);
        assert_string_equal(errors(f, cases[i].rule), cases[i].error);
    }
}

static void deep_queries_are_refused(void **state)
{
    struct fixture *f = *state;
    strbuf rule = strbuf_in(f->mem);
    strbuf_str(&rule, "; id: x\n; message: m\n\n");
    for (int i = 0; i < 100000; i++)
        strbuf_char(&rule, '(');
    assert_string_equal(errors(f, strbuf_text(&rule)),
                        "rule.scm:4:201: error: the query nests more than 200 deep [awaitc-input]");
}

static void a_broken_rule_leaves_the_others(void **state)
{
    struct fixture *f = *state;
    write_file(f->file, "; id: x\n");
    const char *folders[] = {f->folder, "no/such/folder"};
    struct query_options options = {.built_in = true, .folders = folders, .folder_count = 2};
    query_rules *rules = query_rules_load(&options, f->sink);
    assert_int_equal(diag_error_count(f->sink), 2);
    assert_true(query_rules_count(rules) > 3);
    query_rules_free(&rules);
    assert_null(rules);
}

static void fallback_rules_wait_for_it(void **state)
{
    struct fixture *f = *state;
    struct query_options options = {.built_in = true};
    query_rules *rules = query_rules_load(&options, f->sink);
    strview source = SV("async void f(void) { sleep(1); assert(await g()); }");
    finding_list always = {.mem = f->mem}, all = {.mem = f->mem};
    query_rules_run(rules, QUERY_ALWAYS, "a.c", source, &always);
    query_rules_run(rules, QUERY_FALLBACK, "a.c", source, &all);
    query_rules_free(&rules);
    assert_int_equal(always.all.count, 1);
    assert_string_equal(always.all.at[0]->rule, "awaitc-assert-await");
    assert_int_equal(all.all.count, 2);
    assert_string_equal(all.all.at[1]->rule, "awaitc-blocking-call");
    assert_string_equal(all.all.at[1]->fixes.at[0].edits.at[0].text,
                        "await aw_sleep_ms((1) * 1000)");
}

static void tests_of_rules(void **state)
{
    struct fixture *f = *state;
    write_file(f->file, "; id: t-x\n; message: no\n((call_expression function: (identifier) @f) "
                        "@report (#eq? @f \"bad\"))\n");
    const char *test = arena_printf(f->mem, "%s/rule.test.c", f->folder);
    FILE *out = fopen("/dev/null", "w");
    write_file(test, "void f(void) {\n bad(); // EXPECT: t-x\n good();\n}\n");
    assert_int_equal(query_rules_test(f->folder, NULL, out), 0);
    write_file(test, "void f(void) {\n bad(); bad(); // EXPECT: t-x, t-x\n}\n");
    assert_int_equal(query_rules_test(f->folder, NULL, out), 0);
    write_file(test, "void f(void) {\n bad(); // EXPECT: t-x\n bad();\n}\n");
    assert_int_equal(query_rules_test(f->folder, NULL, out), 1);
    write_file(test, "void f(void) {\n bad(); // EXPECT: t-x\n good(); // EXPECT: t-x\n}\n");
    assert_int_equal(query_rules_test(f->folder, NULL, out), 1);
    write_file(test, "void f(void) {\n}\n"); /* no test expects the rule */
    assert_int_equal(query_rules_test(f->folder, NULL, out), 1);
    fclose(out);
}

static void built_in_rules_pass_their_tests(void **state)
{
    struct fixture *f = *state;
    const char *root = getenv("AWAITC_SOURCE");
    if (root == NULL)
        skip();
    const char *tests = arena_printf(f->mem, "%s/tests/queries", root);
    assert_int_equal(query_rules_test(NULL, tests, stdout), 0);
}

static void deep_code_is_refused(void **state)
{
    struct fixture *f = *state;
    struct query_options options = {.built_in = true};
    query_rules *rules = query_rules_load(&options, f->sink);
    static const char *const openings[] = {"(", "{", "!"};
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++) {
        strbuf text = strbuf_in(f->mem);
        strbuf_str(&text, "async int f(void) { return ");
        for (int k = 0; k < 100000; k++)
            strbuf_str(&text, openings[i]);
        finding_list list = {.mem = f->mem};
        assert_int_equal(query_rules_run(rules, QUERY_FALLBACK, "a.c", strbuf_view(&text), &list),
                         QUERY_RUN_TOO_DEEP);
    }
    query_rules_free(&rules);
}

static double cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Time grows with the file, and no faster; the limit is far above what is measured, for sanitizers
 * and busy machines. */
static void large_files_take_linear_time(void **state)
{
    struct fixture *f = *state;
    struct query_options options = {.built_in = true};
    query_rules *rules = query_rules_load(&options, f->sink);
    strbuf text = strbuf_in(f->mem);
    for (int i = 0; text.len < 600 * 1000; i++)
        strbuf_fmt(&text,
                   "static async int f%d(struct peer *p, int n)\n{\n"
                   "    for (int i = 0; i < n; i++) {\n"
                   "        if (p->a[i].b == NULL && check(p, i) != 0)\n"
                   "            return -1; /* a comment about it */\n"
                   "        p->sum += compute(p->a[i].b, sizeof *p->a, \"text\") * 3;\n"
                   "    }\n    int r = await g(p, n);\n    return r < 0 ? r : n;\n}\n\n",
                   i);
    finding_list list = {.mem = f->mem};
    query_rules_run(rules, QUERY_FALLBACK, "a.c", SV("async int f(void) {}"), &list); /* warm */
    double begin = cpu_ms();
    assert_int_equal(query_rules_run(rules, QUERY_FALLBACK, "a.c", strbuf_view(&text), &list),
                     QUERY_RUN_OK);
    double spent = cpu_ms() - begin;
    print_message("%zu bytes: %.1f ms\n", text.len, spent);
    assert_true(spent < 3000);
    query_rules_free(&rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(head_gives_message_and_fix),
        TEST(findings_carry_function_and_leaf),
        TEST(predicates_see_the_text_as_written),
        TEST(text_predicates),
        TEST(quantified_captures),
        TEST(place_predicates),
        TEST(async_predicates),
        TEST(held_predicate),
        TEST(settings_of_a_pattern),
        TEST(one_finding_a_place),
        TEST(fixes_before_postfix_operators),
        TEST(errors_have_places_and_hints),
        TEST(deep_queries_are_refused),
        TEST(a_broken_rule_leaves_the_others),
        TEST(fallback_rules_wait_for_it),
        TEST(tests_of_rules),
        TEST(built_in_rules_pass_their_tests),
        TEST(deep_code_is_refused),
        TEST(large_files_take_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
