/* SPDX-License-Identifier: MIT */
/*
 * Which compound literals are objects that something may still point to? In C a literal lives as
 * long as its block; in lowered text the statement that holds it may become a block of its own, or
 * the function may return in between. So a literal whose address is taken becomes an object with a
 * name, which is filled anew each time it is reached, and which lives in the frame if it must.
 *
 *     p = &(struct s){1}; await g(); use(p);        p = &(*fill(&f->aw__l1, (struct s){1})); ...
 */
#include "transforms/lowering.h"

/* Does the place of this expression take the address of what it names? */
static bool address_is_taken(lowering *l, const ast_node *e)
{
    for (const ast_node *p = e->parent; p != NULL; e = p, p = p->parent) {
        bool is_array = type_of(l, e->type)->cls == TYPE_ARRAY;
        if (p->kind == AST_PAREN || (p->kind == AST_MEMBER && p->op == OP_DOT) ||
            (is_array && p->kind == AST_INDEX))
            continue;
        if (is_array && p->kind == AST_DECLARATOR && p->ref != NULL)
            return type_of(l, p->ref->type)->cls != TYPE_ARRAY;
        if (is_array)
            return p->kind != AST_SIZEOF_EXPR;
        return p->kind == AST_UNARY && p->op == OP_ADDR;
    }
    return false;
}

static bool in_static_initialiser(const ast_node *e)
{
    for (const ast_node *p = e->parent; p != NULL && !ast_is_statement(p->kind); p = p->parent) {
        if (p->kind == AST_DECLARATOR && p->ref != NULL && p->ref->kind == DECL_VAR &&
            (p->ref->storage == STORAGE_STATIC || p->ref->storage == STORAGE_EXTERN))
            return true;
    }
    return false;
}

static void make_object(lowering *l, ast_node *e)
{
    ast_decl *d = ARENA_NEW(l->mem, ast_decl);
    d->kind = DECL_VAR;
    d->name = sv_from(arena_printf(l->mem, "aw__l%u", ++l->literal_count));
    d->token = UINT32_MAX;
    d->type = type_of(l, e->type)->unqualified;
    d->id = UINT32_MAX;
    d->local = (uint32_t)l->locals.count;
    VEC_PUSH(l->mem, &l->locals, d);
    d->declarator = e; /* for a type without a name at file scope: it is spelled here */
    e->data = d;
    e->bits |= MARK_LITERAL_OBJECT;
}

static void walk(lowering *l, ast_node *n, bool awaits_around)
{
    if (n->is_unevaluated)
        return;
    if (n->kind == AST_COMPOUND)
        awaits_around = (n->bits & MARK_AWAIT) != 0;
    if (n->kind == AST_COMPOUND_LITERAL && awaits_around && address_is_taken(l, n) &&
        !in_static_initialiser(n)) {
        make_object(l, n);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            walk(l, n->kid[i], awaits_around);
    }
}

void find_literal_objects(lowering *l)
{
    walk(l, l->fn->root->kid[2], false);
}
