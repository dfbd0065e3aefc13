/* SPDX-License-Identifier: MIT */
/*
 * Which arguments may a form have? A group runs calls of async functions and other forms that wait;
 * aw_try_all only what has a signed integer result, since a negative one fails; the pools run one
 * ordinary call; the spawning forms one call of an async function.
 */
#include "transforms/forms/form_nested.h"
#include "transforms/forms/forms.h"

bool nested_is_group(const ast_node *n)
{
    return is_form(n, FORM_ALL) || is_form(n, FORM_TRY_ALL) || is_form(n, FORM_RACE) ||
           is_form(n, FORM_TIMEOUT);
}

static bool is_pool(const ast_node *n)
{
    return is_form(n, FORM_BLOCKING) || is_form(n, FORM_COMPUTE);
}

static const ast_node *over_parens(const ast_node *n, const ast_node **below)
{
    const ast_node *p = n->parent;
    *below = n;
    while (p != NULL && (p->kind == AST_PAREN || (p->kind == AST_UNARY && p->op == OP_EXTENSION))) {
        *below = p;
        p = p->parent;
    }
    return p;
}

bool nested_is_argument(const ast_node *form)
{
    const ast_node *below, *p = over_parens(form, &below);
    if (p != NULL && p->kind == AST_ASSIGN && p->op == OP_ASSIGN && p->kid[1] == below)
        p = over_parens(p, &below);
    return p != NULL && nested_is_group(p) && !(p->op == FORM_TIMEOUT && p->kid[0] == below);
}

ast_node *nested_split(ast_node *argument, ast_node **target)
{
    ast_node *e = ast_strip(argument);
    *target = NULL;
    if (e->kind != AST_ASSIGN || e->op != OP_ASSIGN)
        return e;
    *target = e->kid[0];
    return ast_strip(e->kid[1]);
}

static bool is_async_call(const ast_node *e)
{
    return e->kind == AST_CALL && e->is_file_callee_async;
}

static bool is_signed_integer(const lowering *l, type_id type)
{
    const struct type *t = type_of(l, type);
    return (t->cls == TYPE_INT || t->cls == TYPE_ENUM) && !t->is_unsigned && t->size_bytes <= 8;
}

/* Can aw_try_all tell success from failure? */
static bool may_fail(lowering *l, ast_node *run)
{
    struct call call;
    if (is_async_call(run))
        return !call_describe(l, run, &call) || is_signed_integer(l, call.result);
    if (is_pool(run))
        return run->kid_count != 1 || is_signed_integer(l, ast_strip(run->kid[0])->type);
    return !is_form(run, FORM_ALL);
}

static void check_argument(lowering *l, const ast_node *form, ast_node *argument)
{
    ast_node *target, *run = nested_split(argument, &target);
    if (!is_async_call(run) && !nested_is_group(run) && !is_pool(run))
        lower_error(l, DIAG_FORM_OPERAND, argument,
                    "each argument is a call of an async function, or an assignment of one");
    else if (form->op == FORM_TRY_ALL && !may_fail(l, run))
        lower_error(
            l, DIAG_FORM_OPERAND, argument,
            "aw_try_all takes a negative result as failure, so each of its calls has to give "
            "a signed integer of at most 64 bits; use aw_all here");
}

/* The argument that a form other than a group runs. */
static ast_node *single_call(const ast_node *form)
{
    uint32_t at = form->op == FORM_SPAWN_ON || form->op == FORM_RUNTIME_BLOCK_ON ||
                          form->op == FORM_SCOPE_SPAWN
                      ? 1
                      : 0;
    return form->kid_count == at + 1 ? ast_strip(form->kid[at]) : NULL;
}

struct form_count {
    uint32_t least, most;
    const char *usage;
};

static struct form_count count_of(enum ast_form form)
{
    switch (form) {
    case FORM_SPAWN:
        return (struct form_count){1, 1, "spawn(f(x))"};
    case FORM_SPAWN_ON:
        return (struct form_count){2, 2, "aw_spawn_on(runtime, f(x))"};
    case FORM_ALL:
        return (struct form_count){1, UINT32_MAX, "aw_all(a = f(x), g(y))"};
    case FORM_TRY_ALL:
        return (struct form_count){1, UINT32_MAX, "aw_try_all(a = f(x), b = g(y))"};
    case FORM_RACE:
        return (struct form_count){1, UINT32_MAX, "aw_race(a = f(x), g(y))"};
    case FORM_TIMEOUT:
        return (struct form_count){2, 2, "aw_timeout(milliseconds, a = f(x))"};
    case FORM_BLOCKING:
        return (struct form_count){1, 1, "aw_blocking(plain_call(x))"};
    case FORM_COMPUTE:
        return (struct form_count){1, 1, "aw_compute(plain_call(x))"};
    case FORM_BLOCK_ON:
        return (struct form_count){1, 1, "aw_block_on(f(x))"};
    case FORM_RUNTIME_BLOCK_ON:
        return (struct form_count){2, 2, "aw_runtime_block_on(runtime, f(x))"};
    case FORM_SCOPE_SPAWN:
        return (struct form_count){2, 2, "aw_scope_spawn(&scope, f(x))"};
    }
    return (struct form_count){0, UINT32_MAX, ""};
}

bool form_check_count(struct unit *u, const ast_function *fn, const ast_node *n, uint32_t offset)
{
    if (n->first >= n->last || offset < fn->tokens[n->first].begin ||
        offset >= fn->tokens[n->last - 1].end)
        return false;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && form_check_count(u, fn, n->kid[i], offset))
            return true;
    }
    if (n->kind != AST_FORM)
        return false;
    struct form_count count = count_of((enum ast_form)n->op);
    if (n->kid_count >= count.least && n->kid_count <= count.most)
        return false;
    diag_report(u->sink, DIAG_FORM_OPERAND, unit_place(u, fn->tokens[n->first].begin),
                "this form has too %s arguments; write `%s`",
                n->kid_count < count.least ? "few" : "many", count.usage);
    return true;
}

void form_check_operands(lowering *l, ast_node *form)
{
    if (nested_is_group(form)) {
        for (uint32_t i = form->op == FORM_TIMEOUT ? 1 : 0; i < form->kid_count; i++)
            check_argument(l, form, form->kid[i]);
        return;
    }
    const ast_node *run = single_call(form);
    if (is_pool(form)) {
        if (run == NULL || run->kind != AST_CALL)
            lower_error(
                l, DIAG_FORM_OPERAND, form,
                "this form runs one ordinary call on another thread; write aw_blocking(f(x)), "
                "and await an async function directly");
    } else if (run == NULL || !is_async_call(run)) {
        lower_error(l, DIAG_FORM_OPERAND, form,
                    "this form takes one call of an async function, without await");
    }
}
