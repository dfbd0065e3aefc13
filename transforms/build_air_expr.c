/* SPDX-License-Identifier: MIT */
/*
 * Which ops does an expression make? Reads and writes of locals in the order of evaluation, with
 * one distinction that decides what a frame holds: an address that is only lent (to a parameter
 * that keeps no copy, or subscripted on the spot) is no escape.
 */
#include "transforms/build_air.h"

bool air_is_local(const ast_decl *d)
{
    return d != NULL && d->local != UINT32_MAX;
}

static void note_hold(struct air_builder *b, const ast_decl *d)
{
    if (fault_planted(FAULT_HOLD_LOST))
        return;
    for (size_t i = 0; i < b->holds->count; i++) {
        if (b->holds->at[i] == d->local)
            return;
    }
    VEC_PUSH(b->l->mem, b->holds, d->local);
}

static void local_access(struct air_builder *b, const ast_decl *d, enum air_access access,
                         bool whole, uint32_t token)
{
    whole |= fault_planted(FAULT_PART_IS_WHOLE);
    switch (access) {
    case AIR_READ:
        air_emit(b, AIR_USE, d, token);
        break;
    case AIR_WRITE:
        air_emit(b, whole ? AIR_DEF : AIR_PART, d, token);
        break;
    case AIR_UPDATE:
        if (!fault_planted(FAULT_UPDATE_IS_WRITE))
            air_emit(b, AIR_USE, d, token);
        air_emit(b, whole ? AIR_DEF : AIR_PART, d, token);
        break;
    case AIR_ADDRESS:
        air_emit(b, fault_planted(FAULT_ADDRESS_NOT_KEPT) ? AIR_LEND : AIR_ADDR, d, token);
        break;
    case AIR_HOLDING:
        air_emit(b, AIR_LEND, d, token);
        note_hold(b, d);
        break;
    case AIR_LENDING:
        air_emit(b, AIR_LEND, d, token);
        break;
    }
}

/* Is the expression an array where it stands now? One that was captured is a pointer. */
static bool is_array(const lowering *l, const ast_node *e)
{
    const struct replacement *r = (e->bits & MARK_REPLACED) != 0 ? e->data : NULL;
    if (r != NULL && !r->deref)
        return r->temp != NULL && r->suffix[0] == '\0' &&
               type_of(l, r->temp->type)->cls == TYPE_ARRAY;
    return type_of(l, e->type)->cls == TYPE_ARRAY;
}

/* Is what is indexed a part of the object that it names: an array, or a vector? */
static bool holds_elements(const lowering *l, const ast_node *e)
{
    return is_array(l, e) || type_of(l, e->type)->cls == TYPE_VECTOR;
}

/* The temporary or local that the node itself names, or NULL. */
static const ast_decl *node_local(const ast_node *e)
{
    if ((e->bits & MARK_REPLACED) != 0) {
        const struct replacement *r = e->data;
        return r->deref ? NULL : r->temp;
    }
    if ((e->bits & MARK_LITERAL_OBJECT) != 0)
        return e->data;
    return e->kind == AST_IDENT && air_is_local(e->ref) ? e->ref : NULL;
}

static void object_part(struct air_builder *b, ast_node *e, enum air_access access, bool whole)
{
    if ((e->bits & MARK_REPLACED) != 0) {
        const struct replacement *r = e->data;
        if (r->temp == NULL)
            return;
        if (r->deref)
            local_access(b, r->temp, AIR_READ, true, e->first);
        else
            local_access(b, r->temp, access, whole && r->suffix[0] == '\0', e->first);
        return;
    }
    switch (e->kind) {
    case AST_PAREN:
        object_part(b, e->kid[0], access, whole);
        return;
    case AST_UNARY:
        if (e->op == OP_EXTENSION || e->op == OP_REAL || e->op == OP_IMAG) {
            object_part(b, e->kid[0], access, e->op == OP_EXTENSION && whole);
            return;
        }
        air_value(b, e->kid[0]); /* a dereference reads the pointer only */
        return;
    case AST_IDENT:
        if (air_is_local(e->ref))
            local_access(b, e->ref, access, whole, e->first);
        return;
    case AST_MEMBER:
        if (e->op == OP_DOT)
            object_part(b, e->kid[0], access, false);
        else
            air_value(b, e->kid[0]);
        return;
    case AST_INDEX: {
        bool first_is_base = holds_elements(b->l, e->kid[0]);
        bool second_is_base = !first_is_base && is_array(b->l, e->kid[1]);
        ast_node *base = second_is_base ? e->kid[1] : e->kid[0];
        ast_node *index = second_is_base ? e->kid[0] : e->kid[1];
        air_value(b, index);
        if (first_is_base || second_is_base)
            object_part(b, base, access, false);
        else
            air_value(b, base);
        return;
    }
    case AST_COMPOUND_LITERAL:
        air_value(b, e->kid[1]);
        if ((e->bits & MARK_LITERAL_OBJECT) != 0) {
            local_access(b, e->data, AIR_WRITE, true, e->first);
            local_access(b, e->data, access, whole, e->first);
        }
        return;
    default:
        air_value(b, e);
    }
}

void air_object(struct air_builder *b, ast_node *e, enum air_access access)
{
    object_part(b, e, access, true);
}

/* An argument for a parameter that keeps no copy: `&x`, `buf`, a cast of these. */
static bool is_lendable(struct air_builder *b, ast_node *e)
{
    e = ast_strip(e);
    while (e->kind == AST_CAST && (e->bits & MARK_REPLACED) == 0)
        e = ast_strip(e->kid[1]);
    if (e->kind == AST_BINARY && (e->op == OP_ADD || e->op == OP_SUB))
        return is_lendable(b, e->kid[0]) || (e->op == OP_ADD && is_lendable(b, e->kid[1]));
    return (e->kind == AST_UNARY && e->op == OP_ADDR) || is_array(b->l, e);
}

static void air_lend(struct air_builder *b, ast_node *e, enum air_access access)
{
    e = ast_strip(e);
    while (e->kind == AST_CAST && (e->bits & MARK_REPLACED) == 0)
        e = ast_strip(e->kid[1]);
    if (e->kind == AST_BINARY) {
        for (int i = 0; i < 2; i++) {
            if (is_lendable(b, e->kid[i]))
                air_lend(b, e->kid[i], access);
            else
                air_value(b, e->kid[i]);
        }
        return;
    }
    if (e->kind == AST_UNARY && e->op == OP_ADDR)
        object_part(b, e->kid[0], access, true);
    else
        object_part(b, e, access, true);
}

/* Is the value of the call thrown away? */
static bool is_discarded(const ast_node *call)
{
    const ast_node *p = call->parent;
    while (p != NULL && p->kind == AST_PAREN)
        p = p->parent;
    if (p == NULL || p->kind == AST_EXPR_STMT)
        return true;
    return p->kind == AST_CAST && p->parent != NULL && p->parent->kind == AST_EXPR_STMT;
}

void air_call(struct air_builder *b, ast_node *call, bool awaited)
{
    bool is_pointer = false;
    const struct clang_function *f =
        clang_unit_callee(b->l->unit->clang, b->l->fn, call->kid[0], &is_pointer);
    if (f == NULL)
        air_value(b, call->kid[0]);
    for (uint32_t i = 1; i < call->kid_count; i++) {
        bool lends = f != NULL && i <= 64 && (f->noescape_params >> (i - 1) & 1) != 0 &&
                     is_lendable(b, call->kid[i]);
        if (lends && i == 1 && f->returns_first_param && !is_discarded(call))
            lends = false;
        if (lends && (call->kid[i]->bits & MARK_REPLACED) == 0)
            air_lend(b, call->kid[i], awaited ? AIR_HOLDING : AIR_LENDING);
        else
            air_value(b, call->kid[i]);
    }
}

/* ---- lazy operands -----------------------------------------------------------------------------
 */

static bool has_writes(const ast_node *e)
{
    if (e->is_unevaluated)
        return false;
    if (e->kind == AST_ASSIGN || e->kind == AST_PREFIX || e->kind == AST_POSTFIX ||
        e->kind == AST_STMT_EXPR || (e->bits & MARK_LITERAL_OBJECT) != 0)
        return true;
    for (uint32_t i = 0; i < e->kid_count; i++) {
        if (e->kid[i] != NULL && has_writes(e->kid[i]))
            return true;
    }
    return false;
}

/* One of two values, or one or none: each in a block of its own if it writes anything. */
static void air_lazy(struct air_builder *b, ast_node *first, ast_node *second)
{
    bool writes = (first != NULL && has_writes(first)) || (second != NULL && has_writes(second));
    if (!writes || fault_planted(FAULT_LAZY_IS_SURE)) {
        if (first != NULL)
            air_value(b, first);
        if (second != NULL)
            air_value(b, second);
        return;
    }
    uint32_t targets[2] = {air_block_new(b), air_block_new(b)};
    uint32_t after = air_block_new(b);
    air_branch(b, targets, 2);
    air_block_start(b, targets[0]);
    if (first != NULL)
        air_value(b, first);
    air_goto(b, after);
    air_block_start(b, targets[1]);
    if (second != NULL)
        air_value(b, second);
    air_goto(b, after);
    air_block_start(b, after);
}

/* ---- the walk ----------------------------------------------------------------------------------
 */

static void air_operands(struct air_builder *b, ast_node *e)
{
    for (uint32_t i = 0; i < e->kid_count; i++) {
        if (e->kid[i] != NULL && e->kid[i]->kind != AST_TYPE_NAME)
            air_value(b, e->kid[i]);
    }
}

static void air_assign(struct air_builder *b, ast_node *e)
{
    air_value(b, e->kid[1]);
    air_object(b, e->kid[0], e->op == OP_ASSIGN ? AIR_WRITE : AIR_UPDATE);
}

/* Locals in array bounds are read even where the rest of a type name or operand is not evaluated.
 */
void air_bounds(struct air_builder *b, ast_node *n, bool in_bound)
{
    if (in_bound && n->kind == AST_IDENT && air_is_local(n->ref))
        air_emit(b, AIR_USE, n->ref, n->first);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            air_bounds(b, n->kid[i], in_bound || n->kind == AST_ARRAY_BOUND);
    }
}

void air_value(struct air_builder *b, ast_node *e)
{
    if (e->kind == AST_SIZEOF_TYPE || e->kind == AST_SIZEOF_EXPR)
        air_bounds(b, e, false);
    if (e->is_unevaluated)
        return;
    if (e->kind == AST_CAST || e->kind == AST_COMPOUND_LITERAL)
        air_bounds(b, e->kid[0], false);
    if (node_local(e) != NULL || (e->bits & (MARK_REPLACED | MARK_LITERAL_OBJECT)) != 0) {
        bool decays = (e->bits & MARK_REPLACED) == 0 && is_array(b->l, e);
        air_object(b, e, decays ? AIR_ADDRESS : AIR_READ);
        return;
    }
    switch (e->kind) {
    case AST_MEMBER:
    case AST_INDEX:
        air_object(b, e, is_array(b->l, e) ? AIR_ADDRESS : AIR_READ);
        return;
    case AST_UNARY:
        if (e->op == OP_ADDR)
            air_object(b, e->kid[0], AIR_ADDRESS);
        else
            air_value(b, e->kid[0]);
        return;
    case AST_ASSIGN:
        air_assign(b, e);
        return;
    case AST_PREFIX:
    case AST_POSTFIX:
        air_object(b, e->kid[0], AIR_UPDATE);
        return;
    case AST_VA_ARG:
        air_object(b, e->kid[0], AIR_ADDRESS);
        return;
    case AST_CALL:
        air_call(b, e, false);
        return;
    case AST_AND_AND:
    case AST_OR_OR:
        air_value(b, e->kid[0]);
        air_lazy(b, e->kid[1], NULL);
        return;
    case AST_CONDITIONAL:
        air_value(b, e->kid[0]);
        air_lazy(b, e->kid[1], e->kid[2]);
        return;
    case AST_STMT_EXPR:
        air_compound(b, e->kid[0]);
        return;
    case AST_DESIGNATED:
        air_value(b, e->kid[e->kid_count - 1]);
        return;
    case AST_GENERIC:
        for (uint32_t i = 1; i < e->kid_count; i++)
            air_value(b, e->kid[i]->kid[1]);
        return;
    case AST_SIZEOF_EXPR:
    case AST_SIZEOF_TYPE:
        air_bounds(b, e, false);
        return;
    case AST_OFFSETOF:
    case AST_TYPES_COMPATIBLE:
    case AST_LABEL_ADDR:
        return;
    default:
        air_operands(b, e);
    }
}
