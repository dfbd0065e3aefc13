/* SPDX-License-Identifier: MIT */
/*
 * One walk down the tree carries along whether what stands there is waited for.
 */
#include "rules/async_calls.h"

bool async_is_keyword(const struct sema_function *fn)
{
    return fn->tree->is_async || (fn->symbol != NULL && fn->symbol->is_async_keyword);
}

bool async_is_any(const struct sema_function *fn)
{
    return async_is_keyword(fn) || (fn->symbol != NULL && fn->symbol->is_async);
}

const char *async_call_name(rule_cx *cx, const ast_node *call)
{
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    return name.len != 0 ? arena_printf(cx->mem, "%.*s", SV_ARG(name))
                         : sema_text(cx->sema, cx->fn, call->kid[0], 40);
}

bool async_call_is_keyword(rule_cx *cx, const ast_node *call)
{
    const sema_symbol *callee = sema_callee(cx->sema, cx->fn, call);
    return callee == NULL || callee->is_async_keyword;
}

static bool form_waits(const ast_node *n)
{
    return n->op != FORM_SPAWN && n->op != FORM_SPAWN_ON && n->op != FORM_BLOCK_ON &&
           n->op != FORM_RUNTIME_BLOCK_ON;
}

/* Which argument of a form is its first branch? */
static uint32_t first_branch(const ast_node *n)
{
    return n->op == FORM_SPAWN_ON || n->op == FORM_RUNTIME_BLOCK_ON || n->op == FORM_TIMEOUT ||
                   n->op == FORM_SCOPE_SPAWN
               ? 1
               : 0;
}

struct walk {
    rule_cx *cx;
    void (*visit)(rule_cx *cx, const ast_node *n);
};

static void walk_node(const struct walk *w, const ast_node *n, bool is_waited);

static void walk_form(const struct walk *w, const ast_node *n, bool is_waited)
{
    if (!is_waited && form_waits(n) && !n->is_unevaluated)
        w->visit(w->cx, n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            walk_node(w, n->kid[i], i >= first_branch(n));
    }
}

/* Does what waits for n wait for its i-th part? */
static bool passes_on(const ast_node *n, uint32_t i)
{
    switch (n->kind) {
    case AST_PAREN:
    case AST_CAST:
        return true;
    case AST_ASSIGN:
    case AST_COMMA:
        return i == 1;
    case AST_CONDITIONAL:
    case AST_CHOOSE_EXPR:
        return i > 0;
    case AST_GENERIC_ASSOC:
    case AST_GENERIC:
        return true;
    default:
        return false;
    }
}

static void walk_node(const struct walk *w, const ast_node *n, bool is_waited)
{
    if (n->is_unevaluated && n->kind != AST_GENERIC)
        return;
    if (n->kind == AST_FORM) {
        walk_form(w, n, is_waited);
        return;
    }
    if (n->kind == AST_CALL && !is_waited && sema_call_is_async(w->cx->sema, w->cx->fn, n))
        w->visit(w->cx, n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            walk_node(w, n->kid[i], n->kind == AST_AWAIT || (is_waited && passes_on(n, i)));
    }
}

void async_calls_unwaited(rule_cx *cx, void (*visit)(rule_cx *cx, const ast_node *n))
{
    struct walk w = {cx, visit};
    if (!sema_unit_has_async(cx->sema) && !ast_may_have(cx->fn->tree, AST_FORM))
        return;
    walk_node(&w, cx->fn->tree->root, false);
}
