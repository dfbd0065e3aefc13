/* SPDX-License-Identifier: MIT */
/*
 * An async function whose body awaits nothing (or only such functions) runs to its end within the
 * await; the worker is not given away.
 */
#include "rules/suspension.h"

#include "rules/function_memo.h"

enum { MAX_DEPTH = 4 };

static bool never_waits(rule_cx *cx, const struct sema_function *fn, const ast_node *await,
                        unsigned depth);

static bool body_waits(rule_cx *cx, const struct sema_function *fn, const ast_node *n,
                       unsigned depth)
{
    if (n->is_unevaluated)
        return false;
    if (n->kind == AST_AWAIT && !never_waits(cx, fn, n, depth))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && body_waits(cx, fn, n->kid[i], depth))
            return true;
    }
    return false;
}

static bool never_waits(rule_cx *cx, const struct sema_function *fn, const ast_node *await,
                        unsigned depth)
{
    const ast_node *call = sema_strip(await->kid[0]);
    if (call->kind != AST_CALL || depth == 0)
        return false;
    const sema_symbol *callee = sema_callee(cx->sema, fn, call);
    return callee != NULL && callee->is_async_keyword && callee->function != NULL &&
           callee->function != fn &&
           !body_waits(cx, callee->function, callee->function->tree->root, depth - 1);
}

static bool is_async_by_annotation(const struct sema_function *fn)
{
    return fn->symbol != NULL && fn->symbol->is_async && !fn->symbol->is_async_keyword;
}

static bool node_suspends(rule_cx *cx, const struct sema_function *fn, const ast_node *n)
{
    if (n->is_unevaluated)
        return false;
    if (n->kind == AST_AWAIT)
        return n->kid_count != 0 && n->kid[0] != NULL && !never_waits(cx, fn, n, MAX_DEPTH);
    return n->kind == AST_CALL && is_async_by_annotation(fn) && sema_call_is_async(cx->sema, fn, n);
}

bool suspends_at(rule_cx *cx, const struct sema_function *fn, const struct tree_item *item)
{
    return item->kind == TREE_EXPR && node_suspends(cx, fn, item->node);
}

static bool any_suspends(rule_cx *cx, const struct sema_function *fn, const ast_node *n)
{
    if (node_suspends(cx, fn, n))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && any_suspends(cx, fn, n->kid[i]))
            return true;
    }
    return false;
}

bool function_suspends(rule_cx *cx, struct sema_function *fn)
{
    struct function_memo *memo = function_memo_of(cx, fn);
    bool may_suspend = ast_may_have(fn->tree, AST_AWAIT) || is_async_by_annotation(fn);
    if (memo->suspends == MEMO_UNKNOWN)
        memo->suspends = may_suspend && any_suspends(cx, fn, fn->tree->root) ? MEMO_YES : MEMO_NO;
    return memo->suspends == MEMO_YES;
}

static void visit_branches(const ast_node *n, void (*visit)(void *context, const ast_node *call),
                           void *context)
{
    n = sema_strip(n);
    if (n->kind == AST_ASSIGN)
        n = sema_strip(n->kid[1]);
    if (n->kind == AST_CALL) {
        visit(context, n);
    } else if (n->kind == AST_FORM) {
        for (uint32_t i = 0; i < n->kid_count; i++)
            visit_branches(n->kid[i], visit, context);
    }
}

void each_awaited_call(const ast_node *at, void (*visit)(void *context, const ast_node *call),
                       void *context)
{
    visit_branches(at->kind == AST_AWAIT ? at->kid[0] : at, visit, context);
}

const ast_node *form_of_call(const ast_node *call)
{
    const ast_node *below = call, *n = call->parent;
    for (; n != NULL; below = n, n = n->parent) {
        bool is_value = n->kind == AST_ASSIGN && n->kid[1] == below;
        if (n->kind != AST_PAREN && n->kind != AST_CAST && !is_value)
            break;
    }
    return n != NULL && n->kind == AST_FORM ? n : NULL;
}

bool form_starts_task(const ast_node *call)
{
    const ast_node *form = form_of_call(call);
    return form != NULL &&
           (form->op == FORM_SPAWN || form->op == FORM_SPAWN_ON || form->op == FORM_SCOPE_SPAWN);
}

const ast_node *call_is_done_at(const ast_node *call)
{
    const ast_node *n = call, *form = form_of_call(call);
    while (form != NULL) {
        n = form;
        form = form_of_call(form);
    }
    const ast_node *up = n->parent;
    while (up != NULL && (up->kind == AST_PAREN || up->kind == AST_CAST))
        up = up->parent;
    return up != NULL && up->kind == AST_AWAIT ? up : call;
}
