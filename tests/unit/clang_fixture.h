/* SPDX-License-Identifier: MIT */
/*
 * What do the tests of the libclang adaptor share? Units from text whose regions stand between <|
 * and |>; expressions are found in a region's tree by their text, types compared as text.
 */
#ifndef AWAITC_TESTS_CLANG_FIXTURE_H
#define AWAITC_TESTS_CLANG_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/parse/clang_unit.h"
#include "analyzer/syntax/ast_parse.h"

enum { REGIONS_MAX = 8 };

/* What <awaitc.h> makes of the marks for the parser. */
#define MARKS                                                                                      \
    "#define __awaitc_async__ __attribute__((annotate(\"awaitc::async\")))\n"                      \
    "#define __awaitc_await__ __extension__\n"                                                     \
    "#define AW_NOESCAPE __attribute__((annotate(\"awaitc::noescape\")))\n"                        \
    "#define __awaitc_all__(...) ((void)(__VA_ARGS__))\n"                                          \
    "#define __awaitc_try_all__(...) ((void)(__VA_ARGS__), (int)0)\n"                              \
    "#define __awaitc_timeout__(ms, call) ((void)((ms) + 0), (void)(call), (int)0)\n"              \
    "typedef struct aw_task aw_task;\n"                                                            \
    "__awaitc_async__ int aw_join(aw_task *t, void *result AW_NOESCAPE);\n"                        \
    "__awaitc_async__ void aw_yield(void);\n"

struct unit {
    arena *mem;
    strview buffer;
    struct clang_range regions[REGIONS_MAX];
    uint32_t region_count;
    clang_unit *clang;
};

/* ---- support -------------------------------------------------------------------------------- */

/* The text with each <| and |> blanked, and the ranges between them. */
static inline void find_regions(struct unit *t, const char *text)
{
    char *copy = arena_strndup(t->mem, text, strlen(text));
    for (char *p = copy; (p = strstr(p, "<|")) != NULL;) {
        char *end = strstr(p, "|>");
        assert_non_null(end);
        assert_true(t->region_count < REGIONS_MAX);
        memcpy(p, "  ", 2);
        memcpy(end, "  ", 2);
        t->regions[t->region_count++] =
            (struct clang_range){(uint32_t)(p - copy) + 2, (uint32_t)(end - copy)};
    }
    t->buffer = sv_from(copy);
}

static inline struct unit unit_of(const char *text)
{
    static const char *const args[] = {"-std=gnu11"};
    struct unit t = {.mem = arena_create()};
    const char *failure = NULL;
    find_regions(&t, text);
    struct clang_unit_request request = {
        .path = "case.c",
        .buffer = t.buffer,
        .args = args,
        .arg_count = 1,
        .regions = t.regions,
        .region_count = t.region_count,
    };
    t.clang = clang_unit_parse(t.mem, &request, &failure);
    if (t.clang == NULL)
        fail_msg("%s", failure);
    return t;
}

static inline void expect_no_errors(const struct unit *t)
{
    uint32_t count;
    const struct clang_error *errors = clang_unit_errors(t->clang, &count);
    if (count != 0)
        fail_msg("%u:%u: %s", errors[0].line, errors[0].column, errors[0].text);
}

static inline bool is_typedef(void *context, strview name, uint32_t before_offset)
{
    return clang_unit_is_typedef(context, name, before_offset);
}

static inline ast_function *parse_region(struct unit *t, uint32_t region)
{
    struct ast_parse_request request = {
        .mem = t->mem,
        .buffer = t->buffer,
        .begin = t->regions[region].begin,
        .end = t->regions[region].end,
        .is_typedef = is_typedef,
        .context = t->clang,
    };
    struct ast_parse_error error;
    ast_function *fn = ast_parse(&request, &error);
    if (fn == NULL)
        fail_msg("at %u: %s", error.offset, error.text);
    return fn;
}

static inline ast_function *annotated(struct unit *t, uint32_t region)
{
    expect_no_errors(t);
    ast_function *fn = parse_region(t, region);
    uint32_t offset = 0;
    const char *message = clang_unit_annotate(t->clang, fn, &offset);
    if (message != NULL)
        fail_msg("at %u: %s", offset, message);
    return fn;
}

static inline ast_node *find_text(const ast_function *fn, ast_node *n, const char *text)
{
    if (ast_is_expression(n->kind) && sv_is(ast_node_text(fn, n), text))
        return n;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        ast_node *found = n->kid[i] == NULL ? NULL : find_text(fn, n->kid[i], text);
        if (found != NULL)
            return found;
    }
    return NULL;
}

/* The first expression of this text. */
static inline ast_node *node(const ast_function *fn, const char *text)
{
    ast_node *n = find_text(fn, fn->root, text);
    if (n != NULL)
        return n;
    fail_msg("no expression '%s'", text);
    abort(); /* the compiler does not know that fail_msg never returns */
}

static inline ast_decl *local(const ast_function *fn, const char *name)
{
    for (size_t i = 0; i < fn->decls.count; i++) {
        if (sv_is(fn->decls.at[i]->name, name))
            return fn->decls.at[i];
    }
    fail_msg("no local '%s'", name);
    abort();
}

static inline const struct type *type_of(const struct unit *t, type_id id)
{
    return type_get(clang_unit_types(t->clang), id);
}

/* The type as a declaration of "_", with its top-level qualifiers. */
static inline const char *spelling(const struct unit *t, type_id id)
{
    const struct type *type = type_of(t, id);
    return type->before == NULL ? "?" : arena_printf(t->mem, "%s_%s", type->before, type->after);
}

static inline void expect_type(const struct unit *t, type_id id, const char *text, const char *of)
{
    const char *found = spelling(t, id);
    if (strcmp(found, text) != 0)
        fail_msg("'%s' has the type '%s', not '%s'", of, found, text);
}

struct expression_case {
    const char *text, *type, *converted;
};

static inline void expect_expressions(struct unit *t, const ast_function *fn,
                                      const struct expression_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ast_node *n = node(fn, cases[i].text);
        expect_type(t, n->type, cases[i].type, cases[i].text);
        expect_type(t, n->converted, cases[i].converted, cases[i].text);
    }
}

static inline void done(struct unit *t)
{
    clang_unit_close(t->clang);
    arena_destroy(&t->mem);
}

#endif
