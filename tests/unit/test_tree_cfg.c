/* SPDX-License-Identifier: MIT */
/*
 * Which graph does the linter get of a piece of C? Each case is a function's body and its dump.
 */

#include "analyzer/base/check.h"
#include "tests/unit/tree_fixture.h"

struct dump_case {
    const char *body, *dump;
};

static void check(arena *mem, const struct dump_case *cases, size_t count, bool is_brief,
                  bool has_cancel_edges)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = arena_printf(mem, "void f(int p) {%s}", cases[i].body);
        strbuf out = strbuf_in(mem);
        tree_cfg_dump(tree_build(mem, tree_parse(mem, text), has_cancel_edges), is_brief, &out);
        if (strcmp(strbuf_text(&out), cases[i].dump) != 0)
            fail_msg("%s\n%s", cases[i].body, strbuf_text(&out));
    }
}

static void operands_come_before_their_operator(void **state)
{
    static const struct dump_case cases[] = {
        {"x = g(a, b) + c[i].m;", "0: g; a; b; g(a, b); c; i; c[i]; c[i].m; g(a, b) + c[i].m; x; x "
                                  "= g(a, b) + c[i].m; end { -> 1\n"
                                  "1:\n"},
        {"x = y += *z++;", "0: z; z++; *z++; y; y += *z++; x; x = y += *z++; end { -> 1\n"
                           "1:\n"},
        {"a, b, c;", "0: a; b; a, b; c; a, b, c; end { -> 1\n"
                     "1:\n"},
        {"x = (T (*)[n])p;", "0: p; n; (T (*)[n])p; x; x = (T (*)[n])p; end { -> 1\n"
                             "1:\n"},
        {"return sizeof(x++) + _Alignof(int);",
         "0: sizeof(x++); _Alignof(int); sizeof(x++) + _Alignof(int); return; end { -> 1 return\n"
         "1:\n"},
        {"x = (struct s){1, g()};",
         "0: 1; g; g(); (struct s){1, g()}; x; x = (struct s){1, g()}; end { -> 1\n"
         "1:\n"},
        {"x = __builtin_va_arg(ap, int); y = __builtin_offsetof(T, m[n]);",
         "0: ap; __builtin_va_arg(ap, int); x; x = __builtin_va_arg(ap, int); n; "
         "__builtin_offsetof(T, m[n]); y; y = __builtin_offsetof(T, m[n]); end { -> 1\n"
         "1:\n"},
        {"__asm__(\"\" : \"=r\"(a) : \"r\"(b));", "0: a; b; asm; end { -> 1\n"
                                                  "1:\n"},
    };
    check(*state, cases, COUNTOF(cases), false, false);
}

static void declarators_follow_their_initialisers(void **state)
{
    static const struct dump_case cases[] = {
        {"int a = 1, b[n], *c = &a; static int s = 4; extern int e; typedef int U[n + 1];",
         "0: 1; decl a; n; decl b; a; &a; decl c; decl s; decl e; n; 1; n + 1; end { -> 1\n"
         "1:\n"},
        {"struct s v = {1, .a[f(2)] = 3, {g()}};",
         "0: 1; f; 2; f(2); 3; g; g(); decl v; end { -> 1\n"
         "1:\n"},
        {"int (*h)(int) = 0; int g2(int); (*h)(3);", "0: 0; decl h; h; *h; 3; (*h)(3); end { -> 1\n"
                                                     "1:\n"},
    };
    check(*state, cases, COUNTOF(cases), false, false);
}

static void conditions_split_blocks(void **state)
{
    static const struct dump_case cases[] = {
        {"if (p && g(p)) h(); return;", "0: p -> 1 if p, 3 if not p\n"
                                        "1: g(p) -> 2 if g(p), 3 if not g(p)\n"
                                        "2: h() -> 3\n"
                                        "3: return; end { -> 4 return\n"
                                        "4:\n"},
        {"if (a && b || c && d) e();", "0: a -> 1 if a, 2 if not a\n"
                                       "1: b -> 4 if b, 2 if not b\n"
                                       "2: c -> 3 if c, 5 if not c\n"
                                       "3: d -> 4 if d, 5 if not d\n"
                                       "4: e() -> 5\n"
                                       "5: end { -> 6\n"
                                       "6:\n"},
        {"if (!(a || !b)) c();", "0: a -> 3 if a, 1 if not a\n"
                                 "1: b -> 2 if b, 3 if not b\n"
                                 "2: c() -> 3\n"
                                 "3: end { -> 4\n"
                                 "4:\n"},
        {"if ((a(), b)) c();", "0: a(); b -> 1 if b, 2 if not b\n"
                               "1: c() -> 2\n"
                               "2: end { -> 3\n"
                               "3:\n"},
        {"if (a ? b : c) d();", "0: a -> 1 if a, 2 if not a\n"
                                "1: b -> 3 if b, 4 if not b\n"
                                "2: c -> 3 if c, 4 if not c\n"
                                "3: d() -> 4\n"
                                "4: end { -> 5\n"
                                "5:\n"},
        {"if (a ?: c) d();", "0: a -> 2 if a, 1 if not a\n"
                             "1: c -> 2 if c, 3 if not c\n"
                             "2: d() -> 3\n"
                             "3: end { -> 4\n"
                             "4:\n"},
        {"if (__builtin_expect(!!(p == 0), 0)) c();", "0: p == 0 -> 1 if p == 0, 2 if not p == 0\n"
                                                      "1: c() -> 2\n"
                                                      "2: end { -> 3\n"
                                                      "3:\n"},
        {"if (__builtin_expect((long)(p == 0 && q), 0L)) c();",
         "0: p == 0 -> 1 if p == 0, 3 if not p == 0\n"
         "1: q -> 2 if q, 3 if not q\n"
         "2: c() -> 3\n"
         "3: end { -> 4\n"
         "4:\n"},
        {"while (({ a(); b; })) { c(); }",
         "0: -> 1\n"
         "1: a(); end {; ({}) -> 2 if ({ a(); b; }), 3 if not ({ a(); b; })\n"
         "2: c(); end { -> 1^\n"
         "3: end { -> 4\n"
         "4:\n"},
    };
    check(*state, cases, COUNTOF(cases), true, false);
}

static void values_of_conditions_stand_where_ways_meet(void **state)
{
    static const struct dump_case cases[] = {
        {"x = a ? b : c ? d : e;", "0: a -> 1 if a, 2 if not a\n"
                                   "1: -> 6\n"
                                   "2: c -> 3 if c, 4 if not c\n"
                                   "3: -> 5\n"
                                   "4: -> 5\n"
                                   "5: c ? d : e -> 6\n"
                                   "6: a ? b : c ? d : e; x = a ? b : c ? d : e; end { -> 7\n"
                                   "7:\n"},
        {"x = a() ?: b;", "0: a() -> 2 if a(), 1 if not a()\n"
                          "1: -> 2\n"
                          "2: a() ?: b; x = a() ?: b; end { -> 3\n"
                          "3:\n"},
        {"x = (a && b) || !c;", "0: a -> 1 if a, 2 if not a\n"
                                "1: b -> 3 if b, 2 if not b\n"
                                "2: c -> 3 if c, 3 if not c\n"
                                "3: (a && b) || !c; x = (a && b) || !c; end { -> 4\n"
                                "4:\n"},
        {"x = a && b && c;", "0: a -> 1 if a, 3 if not a\n"
                             "1: b -> 2 if b, 3 if not b\n"
                             "2: c -> 3 if c, 3 if not c\n"
                             "3: a && b && c; x = a && b && c; end { -> 4\n"
                             "4:\n"},
        {"x = ({ int y = g(); if (y) h(); y; }) + 1;",
         "0: g(); decl y; y -> 1 if y, 2 if not y\n"
         "1: h() -> 2\n"
         "2: end {; ({}); ({ int y = g(); if (y) h(); y; }) + 1; x = ({ int y = g(); if (y) h(); "
         "y; }) + 1; end { -> 3\n"
         "3:\n"},
    };
    check(*state, cases, COUNTOF(cases), true, false);
}

static void constant_conditions_go_one_way(void **state)
{
    static const struct dump_case cases[] = {
        {"if (0) a(); else b();", "0: -> 2\n"
                                  "!1: a() -> 3\n"
                                  "2: b() -> 3\n"
                                  "3: end { -> 4\n"
                                  "4:\n"},
        {"if (!\"text\") a();", "0: -> 2\n"
                                "!1: a() -> 2\n"
                                "2: end { -> 3\n"
                                "3:\n"},
        {"while (EIGHT) a();", "0: -> 1\n"
                               "1: -> 2\n"
                               "2: a() -> 1^\n"
                               "!3:\n"},
        {"if (a && 0) b();", "0: a -> 1 if a, 3 if not a\n"
                             "1: -> 3\n"
                             "!2: b() -> 3\n"
                             "3: end { -> 4\n"
                             "4:\n"},
        {"if ((void *)0 || 2 - 2 || 3 > 4 || !sizeof(a)) b();",
         "0: (void *)0 -> 1\n"
         "1: 2 - 2 -> 2\n"
         "2: 3 > 4 -> 3\n"
         "3: sizeof(a) -> 5 if sizeof(a), 4 if not sizeof(a)\n"
         "4: b() -> 5\n"
         "5: end { -> 6\n"
         "6:\n"},
        {"if (-1 < 0u) a();", "0: -1; -1 < 0u -> 1 if -1 < 0u, 2 if not -1 < 0u\n"
                              "1: a() -> 2\n"
                              "2: end { -> 3\n"
                              "3:\n"},
    };
    check(*state, cases, COUNTOF(cases), true, false);
}

static void arms_that_nobody_chose_are_ways(void **state)
{
    static const struct dump_case cases[] = {
        {"x = _Generic(a, int: b(), default: c());",
         "0: -> 1, 2\n"
         "1: b() -> 3\n"
         "2: c() -> 3\n"
         "3: _Generic(a, int: b(), default: c()); x = _Generic(a, int: b(), default: c()); end { "
         "-> 4\n"
         "4:\n"},
        {"x = __builtin_choose_expr(1, a(), b());",
         "0: a(); __builtin_choose_expr(1, a(), b()); x = __builtin_choose_expr(1, a(), b()); end "
         "{ -> 1\n"
         "1:\n"},
        {"x = __builtin_choose_expr(n, a(), b());",
         "0: -> 1, 2\n"
         "1: a() -> 3\n"
         "2: b() -> 3\n"
         "3: __builtin_choose_expr(n, a(), b()); x = __builtin_choose_expr(n, a(), b()); end { -> "
         "4\n"
         "4:\n"},
    };
    check(*state, cases, COUNTOF(cases), true, false);
}

static void selection(void **state)
{
    static const struct dump_case cases[] = {
        {"if (a) b(); else if (c) d(); else e(); h();", "0: a -> 1 if a, 2 if not a\n"
                                                        "1: b() -> 5\n"
                                                        "2: c -> 3 if c, 4 if not c\n"
                                                        "3: d() -> 5\n"
                                                        "4: e() -> 5\n"
                                                        "5: h(); end { -> 6\n"
                                                        "6:\n"},
        {"if (a) return; else return;", "0: a -> 1 if a, 2 if not a\n"
                                        "1: return; end { -> 3 return\n"
                                        "2: return; end { -> 3 return\n"
                                        "3:\n"},
        {"switch (x) { case 1: a(); case 2 ... 3: b(); break; default: c(); }",
         "0: x -> 1 case 1, 2 case 2 ... 3, 3 default\n"
         "1: a() -> 2\n"
         "2: b(); end { -> 4 break\n"
         "3: c(); end { -> 4\n"
         "4: end { -> 5\n"
         "5:\n"},
        {"switch (x) { case 1: case 2: a(); }", "0: x -> 1 case 1, 1 case 2, 2 no case\n"
                                                "1: a(); end { -> 2\n"
                                                "2: end { -> 3\n"
                                                "3:\n"},
        {"switch (all) { case 1: a(); break; case 2: b(); }", "0: all -> 1 case 1, 2 case 2\n"
                                                              "1: a(); end { -> 3 break\n"
                                                              "2: b(); end { -> 3\n"
                                                              "3: end { -> 4\n"
                                                              "4:\n"},
        {"switch (x) { int y; { case 1: a(); } if (z) { case 2: b(); } }",
         "0: x -> 2 case 1, 3 case 2, 5 no case\n"
         "!1: decl y -> 2\n"
         "2: a(); end {; z -> 3 if z, 4 if not z\n"
         "3: b(); end { -> 4\n"
         "4: end { -> 5\n"
         "5: end { -> 6\n"
         "6:\n"},
        {"switch (2) { case 1: a(); break; case 2: b(); break; default: c(); }",
         "0: 2 -> 2 case 2\n"
         "!1: a(); end { -> 4 break\n"
         "2: b(); end { -> 4 break\n"
         "!3: c(); end { -> 4\n"
         "4: end { -> 5\n"
         "5:\n"},
        {"switch (x) { default: a(); break; case 3: b(); }", "0: x -> 2 case 3, 1 default\n"
                                                             "1: a(); end { -> 3 break\n"
                                                             "2: b(); end { -> 3\n"
                                                             "3: end { -> 4\n"
                                                             "4:\n"},
        {"switch (x) ;", "0: x -> 1 no case\n"
                         "1: end { -> 2\n"
                         "2:\n"},
    };
    check(*state, cases, COUNTOF(cases), true, false);
}

static void loops(void **state)
{
    static const struct dump_case cases[] = {
        {"while (a) b();", "0: -> 1\n"
                           "1: a -> 2 if a, 3 if not a\n"
                           "2: b() -> 1^\n"
                           "3: end { -> 4\n"
                           "4:\n"},
        {"while (a && b) { if (c) break; if (d) continue; e(); }", "0: -> 1\n"
                                                                   "1: a -> 2 if a, 8 if not a\n"
                                                                   "2: b -> 3 if b, 8 if not b\n"
                                                                   "3: c -> 4 if c, 5 if not c\n"
                                                                   "4: end { -> 8 break\n"
                                                                   "5: d -> 6 if d, 7 if not d\n"
                                                                   "6: end { -> 1 continue^\n"
                                                                   "7: e(); end { -> 1^\n"
                                                                   "8: end { -> 9\n"
                                                                   "9:\n"},
        {"do { a(); } while (0);", "0: -> 1\n"
                                   "1: a(); end { -> 2\n"
                                   "2: -> 3\n"
                                   "3: end { -> 4\n"
                                   "4:\n"},
        {"do { if (a) continue; b(); } while (c);", "0: -> 1\n"
                                                    "1: a -> 2 if a, 3 if not a\n"
                                                    "2: end { -> 4 continue\n"
                                                    "3: b(); end { -> 4\n"
                                                    "4: c -> 1 if c^, 5 if not c\n"
                                                    "5: end { -> 6\n"
                                                    "6:\n"},
        {"for (int i = 0; i < 3; i++) g(i);", "0: decl i -> 1\n"
                                              "1: i < 3 -> 2 if i < 3, 4 if not i < 3\n"
                                              "2: g(i) -> 3\n"
                                              "3: i++ -> 1^\n"
                                              "4: end for; end { -> 5\n"
                                              "5:\n"},
        {"for (;;) { if (a) break; }", "0: -> 1\n"
                                       "1: a -> 2 if a, 3 if not a\n"
                                       "2: end { -> 4 break\n"
                                       "3: end { -> 1^\n"
                                       "4: end { -> 5\n"
                                       "5:\n"},
        {"for (;;);", "0: -> 1\n"
                      "1: -> 1^\n"
                      "!2:\n"},
        {"while (1) { if (a) return; }", "0: -> 1\n"
                                         "1: -> 2\n"
                                         "2: a -> 3 if a, 4 if not a\n"
                                         "3: return; end {; end { -> 5 return\n"
                                         "4: end { -> 1^\n"
                                         "5:\n"},
        {"while (a) switch (x) { case 1: continue; case 2: break; }",
         "0: -> 1\n"
         "1: a -> 2 if a, 5 if not a\n"
         "2: x -> 3 case 1, 4 case 2, 1 no case^\n"
         "3: end { -> 1 continue^\n"
         "4: end { -> 1 break^\n"
         "5: end { -> 6\n"
         "6:\n"},
        {"for (int i = 0; ; ) { { int z; if (i) break; } }", "0: decl i -> 1\n"
                                                             "1: decl z; i -> 2 if i, 3 if not i\n"
                                                             "2: end {; end { -> 4 break\n"
                                                             "3: end {; end { -> 1^\n"
                                                             "4: end for; end { -> 5\n"
                                                             "5:\n"},
    };
    check(*state, cases, COUNTOF(cases), true, false);
}

static void gotos(void **state)
{
    static const struct dump_case cases[] = {
        {"again: a(); if (b) goto again;", "0: -> 1\n"
                                           "1: a(); b -> 2 if b, 3 if not b\n"
                                           "2: -> 1 goto^\n"
                                           "3: end { -> 4\n"
                                           "4:\n"},
        {"if (a) goto out; b(); out: c();", "0: a -> 1 if a, 2 if not a\n"
                                            "1: -> 3 goto\n"
                                            "2: b() -> 3\n"
                                            "3: c(); end { -> 4\n"
                                            "4:\n"},
        {"{ int x; { int y; goto out; } } out: ;", "0: decl x; decl y; end {; end { -> 1 goto\n"
                                                   "1: end { -> 2\n"
                                                   "2:\n"},
        {"goto *p; x: a(); y: b(); static void *t[] = {&&x, &&y};", "0: -> 1 goto\n"
                                                                    "1: -> 2 at x, 3 at y\n"
                                                                    "2: a() -> 3\n"
                                                                    "3: b(); decl t; end { -> 4\n"
                                                                    "4:\n"},
        {"__asm__ goto (\"\" : : \"r\"(v) : \"memory\" : x, y); a(); x: b(); y: c();",
         "0: asm -> 2 at x, 3 at y, 1\n"
         "1: a() -> 2\n"
         "2: b() -> 3\n"
         "3: c(); end { -> 4\n"
         "4:\n"},
    };
    check(*state, cases, COUNTOF(cases), true, false);
}

static void dead_code_is_kept_apart(void **state)
{
    static const struct dump_case cases[] = {
        {"return; a(); if (b) c();", "0: return; end { -> 4 return\n"
                                     "!1: a(); b -> 2 if b, 3 if not b\n"
                                     "!2: c() -> 3\n"
                                     "!3: end { -> 4\n"
                                     "4:\n"},
        {"if (a) { return; b(); }", "0: a -> 1 if a, 3 if not a\n"
                                    "1: return; end {; end { -> 4 return\n"
                                    "!2: b(); end { -> 3\n"
                                    "3: end { -> 4\n"
                                    "4:\n"},
        {"return; x: a(); goto x;", "0: return; end { -> 2 return\n"
                                    "!1: a() -> 1 goto\n"
                                    "2:\n"},
    };
    check(*state, cases, COUNTOF(cases), true, false);
}

static void clean_ups_run_at_every_way_out(void **state)
{
    static const struct dump_case cases[] = {
        {"{ __attribute__((cleanup(fr))) char *q = g(); if (q) return; h(); }",
         "0: g(); decl q; q -> 1 if q, 2 if not q\n"
         "1: return; cleanup q; end {; end { -> 3 return\n"
         "2: h(); cleanup q; end {; end { -> 3\n"
         "3:\n"},
        {"back: { __attribute__((cleanup(fr))) int q; if (a) goto back; }",
         "0: -> 1\n"
         "1: decl q; a -> 2 if a, 3 if not a\n"
         "2: cleanup q; end { -> 1 goto^\n"
         "3: cleanup q; end {; end { -> 4\n"
         "4:\n"},
        {"__attribute__((cleanup(fr))) int q; back: if (a) goto back;",
         "0: decl q -> 1\n"
         "1: a -> 2 if a, 3 if not a\n"
         "2: -> 1 goto^\n"
         "3: cleanup q; end { -> 4\n"
         "4:\n"},
        {"back: a(); __attribute__((cleanup(fr))) int q; if (a) goto back;",
         "0: -> 1\n"
         "1: a(); decl q; a -> 2 if a, 3 if not a\n"
         "2: cleanup q -> 1 goto^\n"
         "3: cleanup q; end { -> 4\n"
         "4:\n"},
        {"__awaitc_defer__ { a(); } { __awaitc_defer__ { b(); } __awaitc_defer__ { c(); } if (p) "
         "return; } d();",
         "0: p -> 1 if p, 2 if not p\n"
         "1: return; c(); end {; b(); end {; end {; a(); end {; end { -> 3 return\n"
         "2: c(); end {; b(); end {; end {; d(); a(); end {; end { -> 3\n"
         "3:\n"},
        {"while (p) { __awaitc_defer__ { a(); } if (q) break; b(); }",
         "0: -> 1\n"
         "1: p -> 2 if p, 5 if not p\n"
         "2: q -> 3 if q, 4 if not q\n"
         "3: a(); end {; end { -> 5 break\n"
         "4: b(); a(); end {; end { -> 1^\n"
         "5: end { -> 6\n"
         "6:\n"},
        {"__awaitc_defer__ { while (a) { if (b) break; l: if (c) goto l; } } if (p) return;",
         "0: p -> 1 if p, 9 if not p\n"
         "1: return -> 2\n"
         "2: a -> 3 if a, 8 if not a\n"
         "3: b -> 4 if b, 5 if not b\n"
         "4: end { -> 8 break\n"
         "5: c -> 6 if c, 7 if not c\n"
         "6: -> 5 goto^\n"
         "7: end { -> 2^\n"
         "8: end {; end { -> 16 return\n"
         "9: a -> 10 if a, 15 if not a\n"
         "10: b -> 11 if b, 12 if not b\n"
         "11: end { -> 15 break\n"
         "12: c -> 13 if c, 14 if not c\n"
         "13: -> 12 goto^\n"
         "14: end { -> 9^\n"
         "15: end {; end { -> 16\n"
         "16:\n"},
    };
    check(*state, cases, COUNTOF(cases), true, false);
}

static void calls_that_do_not_return(void **state)
{
    static const struct dump_case cases[] = {
        {"if (p) die(); g();", "0: p -> 1 if p, 2 if not p\n"
                               "1: die() -> 3 noreturn\n"
                               "2: g(); end { -> 3\n"
                               "3:\n"},
        {"x = p ? die() : 2;", "0: p -> 1 if p, 2 if not p\n"
                               "1: die() -> 4 noreturn\n"
                               "2: -> 3\n"
                               "3: p ? die() : 2; x = p ? die() : 2; end { -> 4\n"
                               "4:\n"},
        {"__awaitc_await__ die(); g();", "0: die(); __awaitc_await__ die() -> 2 noreturn\n"
                                         "!1: g(); end { -> 2\n"
                                         "2:\n"},
        {"__awaitc_spawn__(die()); g();", "0: die(); __awaitc_spawn__(die()); g(); end { -> 1\n"
                                          "1:\n"},
        {"__builtin_unreachable();", "0: __builtin_unreachable() -> 1 noreturn\n"
                                     "1:\n"},
    };
    check(*state, cases, COUNTOF(cases), true, false);
}

static void awaits_and_forms(void **state)
{
    static const struct dump_case cases[] = {
        {"__awaitc_await__ g(__awaitc_await__ h());",
         "0: g; h; h(); __awaitc_await__ h(); g(__awaitc_await__ h()); __awaitc_await__ "
         "g(__awaitc_await__ h()); end { -> 1\n"
         "1:\n"},
        {"x = __awaitc_await__ __awaitc_all__(a = g(1), h(2));",
         "0: g; 1; g(1); a; a = g(1); h; 2; h(2); __awaitc_all__(a = g(1), h(2)); __awaitc_await__ "
         "__awaitc_all__(a = g(1), h(2)); x; x = __awaitc_await__ __awaitc_all__(a = g(1), h(2)); "
         "end { -> 1\n"
         "1:\n"},
    };
    check(*state, cases, COUNTOF(cases), false, false);
}

static void a_cancelled_await_leaves_through_clean_ups(void **state)
{
    static const struct dump_case cases[] = {
        {"__awaitc_await__ g(__awaitc_await__ h());",
         "0: h(); __awaitc_await__ h() -> 2, 1 cancel\n"
         "1: end { -> 5\n"
         "2: g(__awaitc_await__ h()); __awaitc_await__ g(__awaitc_await__ h()) -> 4, 3 cancel\n"
         "3: end { -> 5\n"
         "4: end { -> 5\n"
         "5:\n"},
        {"__awaitc_defer__ { a(); } { __attribute__((cleanup(fr))) int q = __awaitc_await__ g(); "
         "__awaitc_await__ h(q); } __awaitc_await__ g();",
         "0: g(); __awaitc_await__ g() -> 2, 1 cancel\n"
         "1: end {; a(); end {; end { -> 7\n"
         "2: decl q; h(q); __awaitc_await__ h(q) -> 4, 3 cancel\n"
         "3: cleanup q; end {; a(); end {; end { -> 7\n"
         "4: cleanup q; end {; g(); __awaitc_await__ g() -> 6, 5 cancel\n"
         "5: a(); end {; end { -> 7\n"
         "6: a(); end {; end { -> 7\n"
         "7:\n"},
        {"__awaitc_defer__ { __awaitc_await__ a(); } __awaitc_await__ g();",
         "0: g(); __awaitc_await__ g() -> 2, 1 cancel\n"
         "1: a(); __awaitc_await__ a(); end {; end { -> 3\n"
         "2: a(); __awaitc_await__ a(); end {; end { -> 3\n"
         "3:\n"},
    };
    check(*state, cases, COUNTOF(cases), true, true);
}

/* ---- questions ------------------------------------------------------------------------------ */

static void items_are_found_by_their_node(void **state)
{
    arena *mem = *state;
    tree_cfg *g = tree_of(mem, "__awaitc_defer__ { a(); } int b __attribute__((cleanup(c))) = (1);"
                               "if (b) return; (d)();");
    for (uint32_t i = 0; i < g->item_count; i++) {
        const struct tree_item *item = &g->items[i];
        uint32_t at = tree_cfg_find_kind(g, item->node, item->kind);
        assert_true(at <= i);
        while (at != i && at != TREE_NONE)
            at = g->items[at].next_same;
        assert_int_equal(at, i);
    }
    const ast_node *body = g->fn->root->kid[2], *call = body->kid[3]->kid[0];
    uint32_t deferred = tree_cfg_find(g, body->kid[0]->kid[0]->kid[0]->kid[0]);
    assert_int_equal(deferred, tree_item_of(g, "a()"));
    assert_int_equal(g->items[g->items[deferred].next_same].next_same, TREE_NONE);
    assert_int_equal(tree_cfg_find(g, call->kid[0]), tree_item_of(g, "d"));
    assert_int_equal(tree_cfg_find(g, body->kid[3]), TREE_NONE);
    assert_int_equal(g->items[tree_cfg_find(g, body->kid[1]->kid[1])].kind, TREE_DECL);
}

/* Conditions that decide about `goal()`, as "condition" or "!condition". */
static void check_controls(arena *mem, const char *body, bool is_transitive, const char *expected)
{
    tree_cfg *g = tree_of(mem, body);
    uint32_t block = g->items[tree_item_of(g, "goal()")].block;
    struct tree_edge_list list = tree_cfg_controls(mem, g, block, is_transitive);
    strbuf out = strbuf_in(mem);
    for (uint32_t i = 0; i < list.count; i++) {
        const struct tree_edge *e = &g->edges[list.at[i]];
        strbuf_str(&out, i == 0 ? "" : " ");
        strbuf_str(&out, e->kind == TREE_FALSE ? "!" : "");
        strbuf_sv(&out, ast_node_text(g->fn, e->cond));
    }
    assert_string_equal(strbuf_text(&out), expected);
}

static void controls_are_the_deciding_conditions(void **state)
{
    arena *mem = *state;
    check_controls(mem, "if (a) { if (b) c(); goal(); }", false, "a");
    check_controls(mem, "if (a) { if (b) goal(); }", false, "b");
    check_controls(mem, "if (a) { if (b) goal(); }", true, "a b");
    check_controls(mem, "if (a) return; if (b) c(); goal();", false, "!a");
    check_controls(mem, "if (a) die(); goal();", false, "!a");
    check_controls(mem, "if (a || !b) goal();", false, "a !b");
    check_controls(mem, "while (a) goal();", false, "a");
    check_controls(mem, "do goal(); while (a);", false, "a");
    check_controls(mem, "if (a) for (;;) { if (b) goal(); }", true, "a b");
    check_controls(mem, "switch (a) { case 1: b(); break; case 2: goal(); }", false, "a");
    check_controls(mem, "goal(); if (a) b();", false, "");
}

/* ---- size ----------------------------------------------------------------------------------- */

static tree_cfg *repeated(arena *mem, const char *before, const char *part, int count,
                          const char *after)
{
    strbuf text = strbuf_in(mem);
    strbuf_str(&text, before);
    for (int i = 0; i < count; i++)
        strbuf_str(&text, part);
    strbuf_str(&text, after);
    return tree_of(mem, strbuf_text(&text));
}

static void long_chains_are_not_deep(void **state)
{
    arena *mem = *state;
    enum { COUNT = 60000 };
    assert_int_equal(repeated(mem, "x = a", " + a", COUNT, ";")->block_count, 2);
    assert_int_equal(repeated(mem, "if (a", " && a", COUNT, ") b();")->block_count, COUNT + 4);
    assert_int_equal(repeated(mem, "x = a", " || a", COUNT, ";")->block_count, COUNT + 3);
    assert_int_equal(repeated(mem, "x = ", "a ? b : ", COUNT, "c;")->block_count, 3 * COUNT + 2);
    assert_int_equal(repeated(mem, "if (a) b(); ", "else if (a) b();", COUNT, "")->block_count,
                     2 * COUNT + 4);
    assert_int_equal(repeated(mem, "x = a", ".a[0]", COUNT, ";")->block_count, 2);
    assert_int_equal(repeated(mem, "switch (a) { ", "case 1: ", COUNT, "b(); }")->block_count, 4);
    assert_int_equal(repeated(mem, "", "if (a) return; ", COUNT, "")->block_count, 2 * COUNT + 2);
    assert_int_equal(repeated(mem, "", "if (a) goto x; ", COUNT, "x: ;")->block_count,
                     2 * COUNT + 2);
}

/* Each way out of a deep nest leaves all of it, so there is a limit, and the graph says so. */
static void too_many_ways_out_are_cut_short(void **state)
{
    arena *mem = *state;
    enum { DEPTH = 1000 };
    strbuf text = strbuf_in(mem), deferred = strbuf_in(mem);
    for (int i = 0; i < DEPTH; i++)
        strbuf_str(&text, "{");
    for (int i = 0; i < 20000; i++)
        strbuf_str(&text, "if (p) return; ");
    for (int i = 0; i < DEPTH; i++)
        strbuf_str(&text, "}");
    tree_cfg *g = tree_of(mem, strbuf_text(&text));
    assert_true(g->is_cut);
    assert_true(g->item_count < 40 * g->fn->token_count);
    for (int i = 0; i < 60; i++) /* each body twice in the body around: 2^60 copies */
        strbuf_str(&deferred, "__awaitc_defer__ { while (a) { ");
    for (int i = 0; i < 60; i++)
        strbuf_str(&deferred, "if (b) break; } }");
    assert_true(tree_of(mem, strbuf_text(&deferred))->is_cut);
    assert_false(repeated(mem, "{", "if (a) return; ", DEPTH, "}")->is_cut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TREE_TEST(operands_come_before_their_operator),
        TREE_TEST(declarators_follow_their_initialisers),
        TREE_TEST(conditions_split_blocks),
        TREE_TEST(values_of_conditions_stand_where_ways_meet),
        TREE_TEST(constant_conditions_go_one_way),
        TREE_TEST(arms_that_nobody_chose_are_ways),
        TREE_TEST(selection),
        TREE_TEST(loops),
        TREE_TEST(gotos),
        TREE_TEST(dead_code_is_kept_apart),
        TREE_TEST(clean_ups_run_at_every_way_out),
        TREE_TEST(calls_that_do_not_return),
        TREE_TEST(awaits_and_forms),
        TREE_TEST(a_cancelled_await_leaves_through_clean_ups),
        TREE_TEST(items_are_found_by_their_node),
        TREE_TEST(controls_are_the_deciding_conditions),
        TREE_TEST(long_chains_are_not_deep),
        TREE_TEST(too_many_ways_out_are_cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
