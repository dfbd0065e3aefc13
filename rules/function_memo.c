/* SPDX-License-Identifier: MIT */
/*
 * Memos hang on the functions of the unit.
 */
#include "rules/function_memo.h"

#include "rules/tree_terms.h"

struct function_memo *function_memo_of(const rule_cx *cx, struct sema_function *fn)
{
    if (fn->memo == NULL)
        fn->memo = ARENA_NEW(cx->mem, struct function_memo);
    return fn->memo;
}

struct call_search {
    arena *mem;
    struct memo_nodes *calls;
};

static bool visit_call(void *context, const ast_node *n)
{
    struct call_search *search = context;
    if (n->kind == AST_CALL)
        VEC_PUSH(search->mem, &search->calls->all, n);
    return true;
}

const struct memo_nodes *calls_of_function(const rule_cx *cx, struct sema_function *fn)
{
    struct function_memo *memo = function_memo_of(cx, fn);
    if (!memo->has_calls) {
        struct call_search search = {cx->mem, &memo->calls};
        tree_visit(fn->tree->root, visit_call, &search);
        memo->has_calls = true;
    }
    return &memo->calls;
}
