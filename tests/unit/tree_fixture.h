/* SPDX-License-Identifier: MIT */
/*
 * How do tests get the tree_cfg of a piece of C? Names that begin with T are typedefs of file
 * scope; calls of die() do not return, calls of EIGHT are the constant 8.
 */
#ifndef AWAITC_TESTS_UNIT_TREE_FIXTURE_H
#define AWAITC_TESTS_UNIT_TREE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyzer/flow/tree_cfg.h"
#include "analyzer/syntax/ast_parse.h"

static inline int tree_set_up(void **state)
{
    *state = arena_create();
    return 0;
}

static inline int tree_tear_down(void **state)
{
    arena *mem = *state;
    arena_destroy(&mem);
    return 0;
}

static inline bool tree_is_typedef(void *context, strview name, uint32_t before_offset)
{
    (void)context;
    (void)before_offset;
    return name.len != 0 && name.at[0] == 'T';
}

static inline ast_function *tree_parse(arena *mem, const char *text)
{
    struct ast_parse_error error = {0};
    const struct ast_parse_request request = {.mem = mem,
                                              .buffer = sv_from(text),
                                              .end = (uint32_t)strlen(text),
                                              .is_typedef = tree_is_typedef};
    ast_function *fn = ast_parse(&request, &error);
    if (fn == NULL)
        fail_msg("%s\n  before: %.200s", error.text, text + error.offset);
    return fn;
}

#define TREE_TEST(function) cmocka_unit_test_setup_teardown(function, tree_set_up, tree_tear_down)

/* What the hooks know: the text of the function. */
static inline bool tree_is_noreturn(void *context, const ast_node *call)
{
    return sv_is(ast_node_text(context, call->kid[0]), "die");
}

static inline bool tree_constant(void *context, const ast_node *n, int64_t *value)
{
    *value = 8;
    return n->kind == AST_IDENT && sv_is(ast_node_text(context, n), "EIGHT");
}

static inline bool tree_is_exhaustive(void *context, const ast_node *n)
{
    return sv_is(ast_node_text(context, n->kid[0]), "all");
}

static inline tree_cfg *tree_build(arena *mem, ast_function *fn, bool has_cancel_edges)
{
    const struct tree_cfg_hooks hooks = {.is_noreturn = tree_is_noreturn,
                                         .constant = tree_constant,
                                         .is_exhaustive = tree_is_exhaustive,
                                         .context = fn,
                                         .has_cancel_edges = has_cancel_edges};
    return tree_cfg_build(mem, fn, &hooks);
}

/* The graph of a function with this body. */
static inline tree_cfg *tree_of(arena *mem, const char *body)
{
    return tree_build(mem, tree_parse(mem, arena_printf(mem, "void f(int p) {%s}", body)), false);
}

/* The first item whose expression (or declared name, or statement) begins with this text;
 * TREE_NONE.
 */
static inline uint32_t tree_item_of(const tree_cfg *g, const char *text)
{
    for (uint32_t i = 0; i < g->item_count; i++) {
        if (sv_is(ast_node_text(g->fn, g->items[i].node), text))
            return i;
    }
    fail_msg("no item %s", text);
    return TREE_NONE;
}

#endif
