/* SPDX-License-Identifier: MIT */
/*
 * Which calls stand in a loop that goes on until somebody says stop? Such a loop may be a program's
 * own event loop (main_loops.c decides, with all sources at hand); here its calls are numbered.
 *
 *     while (!stop) { n = poll(fds, count, -1); dispatch(fds, n); if (done) { bye(); break; } }
 *
 * poll and dispatch are in the loop, bye is on the way out of it. A loop that counts, or compares
 * what it has with what it wants, is none.
 */
#include "analyzer/program/collect_private.h"

static bool is_loop(const ast_node *n)
{
    return n->kind == AST_WHILE || n->kind == AST_DO || n->kind == AST_FOR;
}

/* A condition that only something from outside changes: a flag, the result of a call. */
static bool is_open_condition(const struct collect *c, const ast_node *n)
{
    int64_t number;
    if (n == NULL || sema_constant(c->sema, c->fn, n, &number))
        return true;
    n = sema_strip(n);
    switch (n->kind) {
    case AST_AND_AND:
    case AST_OR_OR:
        return is_open_condition(c, n->kid[0]) && is_open_condition(c, n->kid[1]);
    case AST_UNARY:
        return n->op == OP_NOT && is_open_condition(c, n->kid[0]);
    case AST_BINARY:
        return ast_has_call(n) || ((n->op == OP_EQ || n->op == OP_NE) &&
                                   (sema_constant(c->sema, c->fn, n->kid[0], &number) ||
                                    sema_constant(c->sema, c->fn, n->kid[1], &number)));
    case AST_IDENT:
    case AST_MEMBER:
    case AST_CALL:
        return sema_type(c->sema, c->fn, n)->cls != CTYPE_POINTER;
    default:
        return false;
    }
}

static bool is_open_loop(const struct collect *c, const ast_node *n)
{
    const ast_node *condition = n->kind == AST_WHILE ? n->kid[0] : n->kid[1];
    return is_loop(n) && is_open_condition(c, condition);
}

/* Does the block end by leaving the loop around it? A break in a switch stays in the loop. */
static bool leaves_loop(const struct collect *c, const ast_node *block, bool in_switch)
{
    const ast_node *last = block->kid_count == 0 ? NULL : block->kid[block->kid_count - 1];
    if (last == NULL)
        return false;
    if (last->kind == AST_EXPR_STMT)
        return last->kid[0] != NULL && last->kid[0]->kind == AST_CALL &&
               sema_call_is_noreturn(c->sema, c->fn, last->kid[0]);
    return last->kind == AST_RETURN || (last->kind == AST_BREAK && !in_switch);
}

/* The outermost open loop around the call in which it is not on the way out; NULL. */
static const ast_node *open_loop_around(const struct collect *c, const ast_node *call)
{
    const ast_node *found = NULL;
    bool is_out = false;
    for (const ast_node *n = call, *p = call->parent; p != NULL; n = p, p = p->parent) {
        if (p->kind == AST_COMPOUND && !is_loop(p->parent == NULL ? p : p->parent)) {
            bool in_switch = false;
            for (const ast_node *up = p->parent; up != NULL && !is_loop(up); up = up->parent)
                in_switch = in_switch || up->kind == AST_SWITCH;
            is_out = is_out || leaves_loop(c, p, in_switch);
        }
        if (is_open_loop(c, p) && !(p->kind == AST_FOR && n == p->kid[0]) && !is_out)
            found = p;
    }
    return found;
}

void collect_loops(struct collect *c)
{
    VEC(const ast_node *) loops = {0};
    for (size_t i = 0; i < c->calls.count; i++) {
        const ast_node *loop = open_loop_around(c, c->calls.at[i]);
        size_t at = 0;
        while (at < loops.count && loops.at[at] != loop)
            at++;
        if (loop != NULL && at == loops.count)
            VEC_PUSH(c->mem, &loops, loop);
        c->function->calls.at[i].open_loop = loop == NULL ? 0 : (uint32_t)at + 1;
    }
}
