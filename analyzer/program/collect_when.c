/* SPDX-License-Identifier: MIT */
/*
 * Under which of the function's parameters is a call made, and does it insist on its whole size?
 *
 *     int pop(struct q *q, bool wait) { while (q->n == 0 && wait) cond_wait(...); }
 *     while (left > 0) { k = read(fd, at, left); at += k; left -= k; }
 *
 * The first call is made only where parameter 1 is not 0; a caller that passes 0 does not wait. The
 * second one comes back until it has all, whatever the descriptor's mode is thought to be.
 */
#include <errno.h>

#include "analyzer/program/collect_private.h"

/* ---- conditions ------------------------------------------------------------------------------ */

static void push_condition(struct collect *c, struct fact_call *call, const struct value *v,
                           bool equal, int64_t number)
{
    if (v->kind != VALUE_PARAM || v->with != 0)
        return;
    struct fact_condition condition = {
        .param = (uint32_t)v->number, .equal = equal, .number = number};
    VEC_PUSH(c->mem, &call->when, condition);
}

/* The condition that __builtin_expect wraps. */
static const ast_node *plain_condition(const struct collect *c, const ast_node *n)
{
    n = sema_strip(n);
    bool is_expect = n->kind == AST_CALL && sema_arg_count(n) == 2 &&
                     sv_is(sema_callee_name(c->sema, c->fn, n), "__builtin_expect");
    return is_expect ? plain_condition(c, sema_arg(n, 0)) : n;
}

/* Adds what the condition says of parameters where it holds, or where it does not. */
static void add_condition(struct collect *c, struct fact_call *call, const ast_node *condition,
                          bool holds)
{
    const ast_node *n = plain_condition(c, condition);
    int64_t number;
    if (n->kind == AST_AND_AND || n->kind == AST_OR_OR) {
        if ((n->kind == AST_AND_AND) != holds)
            return;
        add_condition(c, call, n->kid[0], holds);
        add_condition(c, call, n->kid[1], holds);
    } else if (n->kind == AST_UNARY && n->op == OP_NOT) {
        add_condition(c, call, n->kid[0], !holds);
    } else if (n->kind == AST_BINARY && (n->op == OP_EQ || n->op == OP_NE)) {
        bool equal = (n->op == OP_EQ) == holds;
        for (uint32_t i = 0; i < 2; i++) {
            struct value v = collect_value(c, n->kid[i]);
            if (sema_constant(c->sema, c->fn, n->kid[1 - i], &number))
                push_condition(c, call, &v, equal, number);
        }
    } else {
        struct value v = collect_value(c, n);
        push_condition(c, call, &v, !holds, 0);
    }
}

/* Does control leave the statements around this one behind it? */
static bool leaves(const struct collect *c, const ast_node *n)
{
    if (n->kind == AST_COMPOUND)
        return n->kid_count != 0 && n->kid[n->kid_count - 1] != NULL &&
               leaves(c, n->kid[n->kid_count - 1]);
    if (n->kind == AST_EXPR_STMT)
        return n->kid[0] != NULL && n->kid[0]->kind == AST_CALL &&
               sema_call_is_noreturn(c->sema, c->fn, n->kid[0]);
    return n->kind == AST_RETURN || n->kind == AST_BREAK || n->kind == AST_CONTINUE ||
           n->kind == AST_GOTO;
}

static bool is_target(const ast_node *n)
{
    return n->kind == AST_LABEL || n->kind == AST_CASE || n->kind == AST_DEFAULT;
}

/* `if (!wait) return;` before the statement, in the same block. */
static void add_earlier(struct collect *c, struct fact_call *call, const ast_node *block,
                        const ast_node *statement)
{
    uint32_t at = 0;
    while (at < block->kid_count && block->kid[at] != statement)
        at++;
    for (; at > 0 && !is_target(block->kid[at]); at--) {
        const ast_node *n = block->kid[at - 1];
        if (n == NULL || n->kind != AST_IF)
            continue;
        if (leaves(c, n->kid[1]))
            add_condition(c, call, n->kid[0], false);
        else if (n->kid[2] != NULL && leaves(c, n->kid[2]))
            add_condition(c, call, n->kid[0], true);
    }
}

static void add_around(struct collect *c, struct fact_call *call, const ast_node *n)
{
    for (const ast_node *p = n->parent; p != NULL; n = p, p = p->parent) {
        switch (p->kind) {
        case AST_IF:
        case AST_CONDITIONAL:
            if (n != p->kid[0])
                add_condition(c, call, p->kid[0], n == p->kid[1]);
            break;
        case AST_WHILE:
            if (n != p->kid[0])
                add_condition(c, call, p->kid[0], true);
            break;
        case AST_FOR:
            if (n != p->kid[0] && n != p->kid[1] && p->kid[1] != NULL)
                add_condition(c, call, p->kid[1], true);
            break;
        case AST_AND_AND:
        case AST_OR_OR:
            if (n == p->kid[1])
                add_condition(c, call, p->kid[0], p->kind == AST_AND_AND);
            break;
        case AST_COMPOUND:
            add_earlier(c, call, p, n);
            break;
        default:
            break;
        }
    }
}

/* ---- calls that want all of their size ------------------------------------------------------- */

static const ast_node *loop_around(const ast_node *n)
{
    for (n = n->parent; n != NULL; n = n->parent) {
        if (n->kind == AST_WHILE || n->kind == AST_DO || n->kind == AST_FOR)
            return n;
    }
    return NULL;
}

/* Are two expressions the same local, or a field of the same name? */
static bool is_same_thing(const struct collect *c, const ast_node *a, const ast_node *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == AST_IDENT)
        return a->ref != NULL && a->ref == b->ref;
    return a->kind == AST_MEMBER && sv_equal(ast_token_text(c->fn->tree, a->name_token),
                                             ast_token_text(c->fn->tree, b->name_token));
}

/* Does the tree name the thing, other than inside `without`? */
static bool names(const struct collect *c, const ast_node *n, const ast_node *thing,
                  const ast_node *without)
{
    if (n == without)
        return false;
    if (is_same_thing(c, n, thing))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && names(c, n->kid[i], thing, without))
            return true;
    }
    return false;
}

/* Does the loop add to the thing, or take from it, by more than a step of one? */
static bool advances(const struct collect *c, const ast_node *n, const ast_node *thing)
{
    if (n->kind == AST_ASSIGN && is_same_thing(c, sema_strip(n->kid[0]), thing) &&
        (n->op == OP_ADD || n->op == OP_SUB ||
         (n->op == OP_ASSIGN && sema_strip(n->kid[1])->kind == AST_BINARY &&
          names(c, n->kid[1], thing, NULL))))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && advances(c, n->kid[i], thing))
            return true;
    }
    return false;
}

/* Does the thing decide whether the loop goes on? */
static bool ends_loop(const struct collect *c, const ast_node *n, const ast_node *thing,
                      const ast_node *call)
{
    const ast_node *condition = n->kind == AST_WHILE || n->kind == AST_IF ? n->kid[0]
                                : n->kind == AST_DO || n->kind == AST_FOR ? n->kid[1]
                                                                          : NULL;
    bool decides =
        n->kind != AST_IF || leaves(c, n->kid[1]) || (n->kid[2] != NULL && leaves(c, n->kid[2]));
    if (condition != NULL && decides && names(c, condition, thing, call))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && ends_loop(c, n->kid[i], thing, call))
            return true;
    }
    return false;
}

/* Is there something in the argument that the loop advances until it is done? */
static bool is_filled(const struct collect *c, const ast_node *loop, const ast_node *call,
                      const ast_node *n)
{
    if ((n->kind == AST_IDENT || n->kind == AST_MEMBER) && advances(c, loop, n) &&
        ends_loop(c, loop, n, call))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && is_filled(c, loop, call, n->kid[i]))
            return true;
    }
    return false;
}

/* Does the function look for EAGAIN? Then it counts on a mode that does not wait. */
static bool asks_for_eagain(const struct collect *c, const ast_node *n)
{
    bool compares =
        n->kind == AST_CASE || (n->kind == AST_BINARY && (n->op == OP_EQ || n->op == OP_NE));
    for (uint32_t i = 0; i < n->kid_count; i++) {
        int64_t number;
        if (n->kid[i] == NULL)
            continue;
        if (compares && i < 2 && sema_constant(c->sema, c->fn, n->kid[i], &number) &&
            (number == EAGAIN || number == -EAGAIN))
            return true;
        if (asks_for_eagain(c, n->kid[i]))
            return true;
    }
    return false;
}

static bool wants_all(const struct collect *c, const ast_node *call)
{
    const ast_node *loop = sema_arg_count(call) < 2 ? NULL : loop_around(call);
    bool is = false;
    for (uint32_t i = 1; loop != NULL && !is && i < sema_arg_count(call); i++)
        is = is_filled(c, loop, call, sema_arg(call, i));
    return is && !asks_for_eagain(c, c->fn->tree->root);
}

void collect_when(struct collect *c)
{
    for (size_t i = 0; i < c->calls.count; i++) {
        add_around(c, &c->function->calls.at[i], c->calls.at[i]);
        c->function->calls.at[i].wants_all = wants_all(c, c->calls.at[i]);
    }
}
