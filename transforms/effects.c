/* SPDX-License-Identifier: MIT */
/*
 * May two operands change places? What an expression reads and writes, as coarse as it can be:
 * memory (everything that others may reach), and single locals whose address is never taken. Locals
 * are bits modulo 64: a collision costs a temporary, never a wrong order.
 */
#include "transforms/lowering.h"

static uint64_t local_bit(const ast_decl *d)
{
    return UINT64_C(1) << (d->id % 64);
}

static bool is_private_local(const lowering *l, const ast_decl *d)
{
    return d != NULL && (d->kind == DECL_VAR || d->kind == DECL_PARAM) &&
           (d->storage == STORAGE_AUTO || d->storage == STORAGE_REGISTER) && d->id != UINT32_MAX &&
           l->taken[d->id] == 0;
}

static void effects_add(struct effects *to, struct effects more)
{
    to->reads_memory |= more.reads_memory;
    to->has_effect |= more.has_effect;
    to->reads |= more.reads;
    to->writes |= more.writes;
}

/* What evaluating an lvalue's address does, and through `access` what reading or writing it does.
 */
enum access { ACCESS_ADDRESS, ACCESS_READ, ACCESS_WRITE, ACCESS_UPDATE };

static bool is_volatile(const lowering *l, const ast_node *e)
{
    return type_of(l, e->type)->is_volatile;
}

static struct effects object_effects(lowering *l, const ast_node *e, enum access access)
{
    struct effects fx = {0};
    switch (e->kind) {
    case AST_PAREN:
        return object_effects(l, e->kid[0], access);
    case AST_IDENT:
        if (is_private_local(l, e->ref)) {
            if (access == ACCESS_READ || access == ACCESS_UPDATE)
                fx.reads |= local_bit(e->ref);
            if (access == ACCESS_WRITE || access == ACCESS_UPDATE)
                fx.writes |= local_bit(e->ref);
            if (access != ACCESS_ADDRESS && is_volatile(l, e))
                fx.has_effect = true;
            return fx;
        }
        break;
    case AST_MEMBER:
        fx = e->op == OP_DOT ? object_effects(l, e->kid[0], access) : effects_of(l, e->kid[0]);
        if (e->op == OP_DOT) {
            if (access != ACCESS_ADDRESS && is_volatile(l, e))
                fx.has_effect = true;
            return fx;
        }
        break;
    case AST_INDEX:
        if (type_of(l, e->kid[0]->type)->cls == TYPE_VECTOR) { /* a part of it, as a member is */
            fx = object_effects(l, e->kid[0], access);
            effects_add(&fx, effects_of(l, e->kid[1]));
            return fx;
        }
        effects_add(&fx, effects_of(l, e->kid[0]));
        effects_add(&fx, effects_of(l, e->kid[1]));
        break;
    case AST_UNARY:
        if (e->op == OP_REAL || e->op == OP_IMAG || e->op == OP_EXTENSION)
            return object_effects(l, e->kid[0], access);
        effects_add(&fx, effects_of(l, e->kid[0]));
        break;
    default:
        effects_add(&fx, effects_of(l, e));
        return fx;
    }
    if (access == ACCESS_READ || access == ACCESS_UPDATE)
        fx.reads_memory = true;
    if (access == ACCESS_WRITE || access == ACCESS_UPDATE)
        fx.has_effect = true;
    if (access != ACCESS_ADDRESS && is_volatile(l, e))
        fx.has_effect = true;
    return fx;
}

static struct effects kids_effects(lowering *l, const ast_node *e)
{
    struct effects fx = {0};
    for (uint32_t i = 0; i < e->kid_count; i++) {
        if (e->kid[i] != NULL)
            effects_add(&fx, effects_of(l, e->kid[i]));
    }
    return fx;
}

static struct effects unary_effects(lowering *l, const ast_node *e)
{
    if (e->op == OP_ADDR)
        return object_effects(l, e->kid[0], ACCESS_ADDRESS);
    if (e->op == OP_DEREF) {
        if (type_of(l, e->type)->cls == TYPE_FUNCTION || type_of(l, e->type)->cls == TYPE_ARRAY)
            return effects_of(l, e->kid[0]);
        return object_effects(l, e, ACCESS_READ);
    }
    return effects_of(l, e->kid[0]);
}

struct effects effects_of(lowering *l, const ast_node *e)
{
    struct effects fx = {0};
    if (e == NULL || e->is_unevaluated || (e->bits & MARK_REPLACED) != 0) {
        const struct replacement *r = e == NULL || (e->bits & MARK_REPLACED) == 0 ? NULL : e->data;
        fx.reads_memory = r != NULL && r->deref;
        return fx;
    }
    if (e->is_const_expr)
        return fx;
    switch (e->kind) {
    case AST_IDENT:
        if (type_of(l, e->type)->cls == TYPE_ARRAY || type_of(l, e->type)->cls == TYPE_FUNCTION ||
            (e->type == TYPE_NONE && e->ref == NULL)) /* a builtin's name */
            return fx;                                /* an address that does not change */
        return object_effects(l, e, ACCESS_READ);
    case AST_MEMBER:
    case AST_INDEX:
        return object_effects(
            l, e, type_of(l, e->type)->cls == TYPE_ARRAY ? ACCESS_ADDRESS : ACCESS_READ);
    case AST_UNARY:
        return unary_effects(l, e);
    case AST_PREFIX:
    case AST_POSTFIX:
        return object_effects(l, e->kid[0], ACCESS_UPDATE);
    case AST_ASSIGN:
        fx = object_effects(l, e->kid[0], e->op == OP_ASSIGN ? ACCESS_WRITE : ACCESS_UPDATE);
        effects_add(&fx, effects_of(l, e->kid[1]));
        return fx;
    case AST_CALL:
    case AST_AWAIT:
    case AST_FORM:
    case AST_STMT_EXPR:
    case AST_VA_ARG:
        if (e->kind == AST_STMT_EXPR)
            fx.reads = fx.writes = ~UINT64_C(0);
        else
            fx = kids_effects(l, e);
        fx.has_effect = fx.reads_memory = true;
        return fx;
    case AST_SIZEOF_EXPR:
    case AST_SIZEOF_TYPE:
        return fx;
    default:
        return kids_effects(l, e);
    }
}

bool effects_conflict(struct effects a, struct effects b)
{
    if (a.has_effect && (b.has_effect || b.reads_memory))
        return true;
    if (b.has_effect && a.reads_memory && !fault_planted(FAULT_MEMORY_READ_NOT_KEPT))
        return true;
    if (fault_planted(FAULT_LOCAL_EFFECTS_IGNORED))
        return false;
    return (a.writes & (b.reads | b.writes)) != 0 || (b.writes & a.reads) != 0;
}

/* ---- which locals' addresses are taken ------------------------------------------------------ */

/* The local that an lvalue chain of members and constant places starts at, or NULL. */
static ast_decl *base_local(lowering *l, ast_node *e)
{
    for (;;) {
        if (e->kind == AST_PAREN ||
            (e->kind == AST_UNARY &&
             (e->op == OP_EXTENSION || e->op == OP_REAL || e->op == OP_IMAG)))
            e = e->kid[0];
        else if (e->kind == AST_MEMBER && e->op == OP_DOT)
            e = e->kid[0];
        else if (e->kind == AST_INDEX && (type_of(l, e->kid[0]->type)->cls == TYPE_ARRAY ||
                                          type_of(l, e->kid[0]->type)->cls == TYPE_VECTOR))
            e = e->kid[0];
        else
            break;
    }
    return e->kind == AST_IDENT ? e->ref : NULL;
}

static void prepare_walk(lowering *l, ast_node *n)
{
    if (n->kind == AST_UNARY && n->op == OP_ADDR && !n->is_unevaluated) {
        ast_decl *d = base_local(l, n->kid[0]);
        if (d != NULL && d->id != UINT32_MAX)
            l->taken[d->id] = 1;
    }
    if (n->kind == AST_IDENT && n->ref != NULL && !n->is_unevaluated &&
        type_of(l, n->type)->cls == TYPE_ARRAY)
        l->taken[n->ref->id] = 1;
    if (n->kind == AST_MEMBER && type_of(l, n->type)->cls == TYPE_ARRAY && !n->is_unevaluated) {
        ast_decl *d = base_local(l, n);
        if (d != NULL && d->id != UINT32_MAX)
            l->taken[d->id] = 1;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            prepare_walk(l, n->kid[i]);
    }
}

void effects_prepare(lowering *l)
{
    l->taken = arena_alloc(l->mem, l->fn->decls.count + 1);
    prepare_walk(l, l->fn->root->kid[2]);
}

/* ---- is the order of an expression open? ----------------------------------------------------- */

static bool operands_conflict(lowering *l, ast_node *const *operands, uint32_t count)
{
    struct effects before = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (operands[i] == NULL)
            continue;
        struct effects fx = effects_of(l, operands[i]);
        if (effects_conflict(before, fx))
            return true;
        effects_add(&before, fx);
    }
    return false;
}

bool assign_conflict(lowering *l, const ast_node *assign)
{
    return effects_conflict(
        effects_of(l, assign->kid[1]),
        object_effects(l, assign->kid[0], assign->op == OP_ASSIGN ? ACCESS_ADDRESS : ACCESS_READ));
}

bool needs_flatten(lowering *l, const ast_node *e)
{
    if (e == NULL || e->is_unevaluated || (e->bits & MARK_REPLACED) != 0 || e->is_const_expr)
        return false;
    if ((e->bits & MARK_AWAIT) != 0)
        return true;
    switch (e->kind) {
    case AST_STMT_EXPR:
    case AST_SIZEOF_EXPR:
    case AST_SIZEOF_TYPE:
    case AST_OFFSETOF:
    case AST_TYPE_NAME:
        return false;
    case AST_CALL:
    case AST_BINARY:
    case AST_INDEX:
    case AST_INIT_LIST:
        if (operands_conflict(l, e->kid, e->kid_count))
            return true;
        break;
    case AST_ASSIGN:
        if (assign_conflict(l, e))
            return true;
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < e->kid_count; i++) {
        if (e->kid[i] != NULL && ast_is_expression(e->kid[i]->kind) && needs_flatten(l, e->kid[i]))
            return true;
    }
    return false;
}

/* Not those of what the parameter points to: see variable_arrays.h. */
ast_node *param_bound(lowering *l, uint32_t param)
{
    const ast_node *n = l->fn->params.at[param]->declarator;
    const ast_node *array = n != NULL && n->kind == AST_DECLARATOR ? first_bound(l, n) : NULL;
    if (array == NULL || array->kid[0] == NULL)
        return NULL;
    struct effects fx = effects_of(l, array->kid[0]);
    return fx.has_effect || fx.writes != 0 ? array->kid[0] : NULL;
}
