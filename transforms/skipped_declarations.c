/* SPDX-License-Identifier: MIT */
/*
 * Which variables have a value where their name is not in scope? An object of a block lives from
 * the block's first line on, so one goto back in front of its declaration and another over it find
 * its old value behind both:
 *
 *     L1: await f();  if (a) goto L2;  int t = 1;  L2: use(t);  if (more) goto L1;
 *
 * No await in front of the declaration can store and load it by its name: such a variable is kept
 * in the frame.
 */
#include "transforms/lowering.h"

static void find_gotos(lowering *l, ast_node *n)
{
    if (n->kind == AST_GOTO && n->ref != NULL && n->ref->declarator != NULL)
        VEC_PUSH(l->mem, &l->gotos, n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_gotos(l, n->kid[i]);
    }
}

void find_skipping_gotos(lowering *l)
{
    if (l->fn->labels.count > 1) /* one to go back to, and one behind the declaration */
        find_gotos(l, l->fn->root->kid[2]);
}

static bool is_within(const ast_node *n, const ast_node *block)
{
    return n->first >= block->first && n->last <= block->last;
}

bool declaration_is_skipped(const lowering *l, const ast_decl *d)
{
    const ast_node *block = d->scope == NULL ? NULL : d->scope->node;
    bool back = false, over = false;
    if (d->kind != DECL_VAR || block == NULL || l->fn->labels.count < 2)
        return false;
    for (size_t i = 0; i < l->gotos.count; i++) {
        const ast_node *jump = l->gotos.at[i], *target = jump->ref->declarator;
        if (!is_within(jump, block) || !is_within(target, block))
            continue;
        back = back || (jump->first > d->token && target->first < d->token);
        over = over || (jump->first < d->token && target->first > d->token);
    }
    if (!ast_may_have(l->fn, AST_GOTO_COMPUTED))
        return back && over;
    for (size_t i = 0; i < l->fn->labels.count; i++) { /* any of them may be gone to */
        const ast_node *target = l->fn->labels.at[i]->declarator;
        if (target == NULL || !is_within(target, block))
            continue;
        back = back || target->first < d->token;
        over = over || target->first > d->token;
    }
    return back && over;
}
