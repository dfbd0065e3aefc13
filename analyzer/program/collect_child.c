/* SPDX-License-Identifier: MIT */
/*
 * Which calls does only the child of a fork make? It has no loop to hold up, and never comes back
 * to the code around it, whether or not its last call says so.
 *
 *     if ((pid = start_fork(...)) == 0) { save(); leave_child(0); } else { ... }
 */
#include "analyzer/program/collect_private.h"

#include <strings.h>

static bool is_fork_name(strview name)
{
    for (size_t i = 0; i + 4 <= name.len; i++) {
        bool ends = i + 4 == name.len || name.at[i + 4] == '_' || sv_is(name, "forkpty");
        if ((name.at[i] | 32) == 'f' && ends && strncasecmp(name.at + i, "fork", 4) == 0)
            return true;
    }
    return false;
}

static bool is_fork(const struct collect *c, const ast_node *n)
{
    n = sema_strip(n);
    return n->kind == AST_CALL && is_fork_name(sema_callee_name(c->sema, c->fn, n));
}

/* Is the local set by a fork somewhere in the function? */
static bool is_set_by_fork(const struct collect *c, const ast_node *n, const ast_decl *local)
{
    if (n->kind == AST_ASSIGN && n->op == OP_ASSIGN) {
        const ast_node *to = sema_strip(n->kid[0]);
        if (to->kind == AST_IDENT && to->ref == local && is_fork(c, n->kid[1]))
            return true;
    }
    if (n->kind == AST_DECLARATOR && n->ref == local && n->kid_count != 0 &&
        n->kid[n->kid_count - 1] != NULL && is_fork(c, n->kid[n->kid_count - 1]))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && is_set_by_fork(c, n->kid[i], local))
            return true;
    }
    return false;
}

static bool gives_pid(const struct collect *c, const ast_node *n)
{
    n = sema_strip(n);
    if (n->kind == AST_ASSIGN && n->op == OP_ASSIGN)
        return is_fork(c, n->kid[1]);
    if (n->kind == AST_IDENT && n->ref != NULL)
        return is_set_by_fork(c, c->fn->tree->root, n->ref);
    return is_fork(c, n);
}

/* Which branch of the if is the child's: 1 or 2 (its kid), 0: none. */
static uint32_t child_branch(const struct collect *c, const ast_node *n)
{
    const ast_node *test = sema_strip(n->kid[0]);
    int64_t zero;
    if (test->kind == AST_UNARY && test->op == OP_NOT)
        return gives_pid(c, test->kid[0]) ? 1 : 0;
    if (test->kind != AST_BINARY)
        return gives_pid(c, test) ? 2 : 0;
    if (!sema_constant(c->sema, c->fn, test->kid[1], &zero) || zero != 0 ||
        !gives_pid(c, test->kid[0]))
        return 0;
    return test->op == OP_EQ ? 1 : test->op == OP_NE ? 2 : 0;
}

static bool names_fork(const struct collect *c)
{
    for (size_t i = 0; i < c->calls.count; i++) {
        if (is_fork_name(sema_callee_name(c->sema, c->fn, c->calls.at[i])))
            return true;
    }
    return false;
}

void collect_child(struct collect *c)
{
    if (!names_fork(c))
        return;
    for (size_t i = 0; i < c->calls.count; i++) {
        const ast_node *below = c->calls.at[i];
        for (const ast_node *n = below->parent; n != NULL; below = n, n = n->parent) {
            uint32_t branch = n->kind == AST_IF ? child_branch(c, n) : 0;
            if (branch != 0 && branch < n->kid_count && n->kid[branch] == below)
                c->function->calls.at[i].is_last = true;
        }
    }
}
