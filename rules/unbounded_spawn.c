/* SPDX-License-Identifier: MIT */
/*
 * awaitc-unbounded-spawn: a loop that outside input drives starts a task a piece, and nothing
 * limits how many there are: no count that is compared, no semaphore, no scope with a limit, no
 * join, no max_tasks. Whoever sends faster than the tasks end fills the memory.
 */
#include "rules/function_memo.h"
#include "rules/intake.h"

/* Does control come to what stands behind the loop? */
static bool falls_out(rule_cx *cx, const struct loop_shape *s)
{
    int64_t value;
    const ast_node *condition = tree_loop_condition(s->loop);
    if (condition != NULL && !sema_constant(cx->sema, cx->fn, condition, &value))
        return true;
    return s->has_break;
}

/* A scope with a limit instead; only where a child's result cannot cancel the others. */
static void add_fix(rule_cx *cx, struct candidate *c, const ast_node *form, const ast_node *loop)
{
    const ast_node *call = spawned_call(form);
    uint32_t begin, end;
    bool is_statement = form->parent->kind == AST_EXPR_STMT;
    if (form->op != FORM_SPAWN || !is_statement || call == NULL ||
        loop->parent->kind != AST_COMPOUND || !cx->fn->tree->is_async ||
        sema_type(cx->sema, cx->fn, call)->cls != CTYPE_VOID ||
        !sema_source_range(cx->sema, cx->fn, loop, &begin, &end))
        return;
    rule_fix(cx, c, "start them in a scope, 1000 at once");
    const char *indent = source_indent(cx, begin);
    if (!rule_fix_replace(cx, c, form, "(void)await aw_scope_spawn(&children, %s)",
                          sema_text(cx->sema, cx->fn, call, 4096)))
        return;
    rule_fix_bytes(cx, c, begin, begin,
                   arena_printf(cx->mem,
                                "aw_scope children;\n%saw_scope_init(&children, 1000);\n%s", indent,
                                indent));
    if (falls_out(cx, loop_shape_of(cx, loop)))
        rule_fix_bytes(cx, c, end, end,
                       arena_printf(cx->mem, "\n%s(void)await aw_scope_wait(&children);", indent));
}

/* A spawn in a helper that nothing there holds back: the loop of another function that calls the
 * helper for each piece of input. `outer` is then that function's context. */
static const ast_node *callers_intake(rule_cx *cx, const ast_node *form, rule_cx *outer,
                                      const ast_node **input)
{
    uint32_t count;
    struct sema_function *const *all = sema_unit_functions(cx->sema, &count);
    struct loop_shape body = body_shape(cx);
    for (const ast_node *n = form->parent; n != NULL; n = n->parent) {
        if (tree_is_loop(n))
            return NULL;
    }
    if (cx->fn->symbol == NULL || loop_is_held_back(cx, &body))
        return NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!all[i]->in_source || all[i] == cx->fn)
            continue;
        outer->fn = all[i];
        const struct memo_nodes *calls = calls_of_function(outer, all[i]);
        for (size_t k = 0; k < calls->all.count; k++) {
            const ast_node *call = calls->all.at[k], *loop = NULL;
            if (sema_callee(outer->sema, outer->fn, call) == cx->fn->symbol)
                loop = unlimited_intake(outer, call, input);
            if (loop != NULL)
                return loop;
        }
    }
    return NULL;
}

static void check(rule_cx *cx, const ast_node *form)
{
    const ast_node *input;
    const ast_node *loop = unlimited_intake(cx, form, &input);
    rule_cx outer = *cx;
    int64_t limit = 0;
    bool is_scope = form->op == FORM_SCOPE_SPAWN;
    bool is_direct = loop != NULL;
    if (loop == NULL)
        loop = callers_intake(cx, form, &outer, &input);
    if (loop == NULL || unit_limits_tasks(cx))
        return;
    if (is_scope && (!scope_limit(cx, form, &limit) || limit != 0))
        return;
    const ast_node *call = spawned_call(form);
    const char *name = call == NULL ? "a task" : sema_text(cx->sema, cx->fn, call->kid[0], 40);
    struct candidate *c = rule_report(
        cx, form,
        "a task '%s' for each piece of input, and nothing limits how many: whoever sends faster "
        "than they end fills the memory; %s",
        name,
        is_scope ? "give aw_scope_init a limit other than 0"
                 : "start them in an aw_scope with a limit, or wait for a semaphore first");
    rule_note(&outer, c, input, "the input that drives the loop");
    rule_leaf(c, name);
    if (!is_scope && is_direct)
        add_fix(cx, c, form, loop);
}

static bool visit(void *context, const ast_node *n)
{
    if (is_spawn(n))
        check(context, n);
    return true;
}

static void on_function(rule_cx *cx)
{
    if (ast_may_have(cx->fn->tree, AST_FORM))
        tree_visit(cx->fn->tree->root, visit, cx);
}

const struct rule_calls rule_unbounded_spawn = {.on_function = on_function};
