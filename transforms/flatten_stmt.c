/* SPDX-License-Identifier: MIT */
/*
 * How do statements take in what flatten_expr.c makes of their expressions? Each statement whose
 * own expressions need it gets an overlay: the items that come first, and what is left of it.
 *
 *     while (await more()) body    for (;;) { await t1 = more(); if (!t1) break; body }
 *     int a = f(), b = await g(a);       int a = f(); int b; { await t1 = g(a); b = t1; }
 *
 * A loop whose condition or increment has awaits gets a label for `continue`, so that each part of
 * the loop stays one statement. Declarations stay in the user's block; their overlay is bare.
 */
#include "analyzer/base/check.h"
#include "transforms/lowering.h"

struct saved {
    struct overlay *overlay;
    struct item_list *into;
    bool second;
};

static struct overlay *open_overlay(lowering *l, ast_node *s, struct saved *saved)
{
    struct overlay *o = s->data;
    *saved = (struct saved){l->overlay, l->into, l->into_second};
    if ((s->bits & MARK_OVERLAY) == 0) {
        o = ARENA_NEW(l->mem, struct overlay);
        s->data = o;
        s->bits |= MARK_OVERLAY;
    }
    l->overlay = o;
    l->into = &o->items;
    l->into_second = false;
    return o;
}

static void close_overlay(lowering *l, const struct saved *saved)
{
    l->overlay = saved->overlay;
    l->into = saved->into;
    l->into_second = saved->second;
}

/* A condition or operand that is evaluated in front of its statement. */
static void flatten_in_front(lowering *l, ast_node *s, ast_node *e)
{
    if (e == NULL || !needs_flatten(l, e) || (e->bits & MARK_AWAIT) == 0)
        return;
    struct saved saved;
    open_overlay(l, s, &saved);
    flatten_value(l, e);
    close_overlay(l, &saved);
}

static void flatten_loop_condition(lowering *l, ast_node *s, ast_node *cond)
{
    if (cond == NULL || (cond->bits & MARK_AWAIT) == 0)
        return;
    struct saved saved;
    open_overlay(l, s, &saved);
    flatten_value(l, cond);
    close_overlay(l, &saved);
}

static void flatten_for(lowering *l, ast_node *s)
{
    if (s->kid[0] != NULL)
        flatten_statement(l, s->kid[0]);
    flatten_loop_condition(l, s, s->kid[1]);
    ast_node *step = s->kid[2];
    if (step != NULL && (step->bits & MARK_AWAIT) != 0) {
        struct saved saved;
        struct overlay *o = open_overlay(l, s, &saved);
        o->continue_label = ++l->label_count;
        l->into = &o->second;
        l->into_second = true;
        flatten_discard(l, step);
        close_overlay(l, &saved);
    }
    flatten_statement(l, s->kid[3]);
}

static void flatten_do(lowering *l, ast_node *s)
{
    flatten_statement(l, s->kid[0]);
    if ((s->kid[1]->bits & MARK_AWAIT) == 0)
        return;
    flatten_loop_condition(l, s, s->kid[1]);
    ((struct overlay *)s->data)->continue_label = ++l->label_count;
}

/* ---- declarations -----------------------------------------------------------------------------
 */

static bool is_object(const ast_decl *d)
{
    return d != NULL && d->kind == DECL_VAR &&
           (d->storage == STORAGE_AUTO || d->storage == STORAGE_REGISTER);
}

static ast_node *initialiser_of(ast_node *declarator)
{
    return declarator->kid_count == 0 ? NULL : declarator->kid[declarator->kid_count - 1];
}

/* Declarations with awaits: every declarator becomes DECLARE, then its items, then INIT. */
static void flatten_declaration(lowering *l, ast_node *s)
{
    bool has_await = false;
    for (uint32_t i = 1; i < s->kid_count; i++) {
        ast_node *init = initialiser_of(s->kid[i]);
        has_await |= init != NULL && (init->bits & MARK_AWAIT) != 0;
    }
    if (!has_await)
        return;
    struct saved saved;
    struct overlay *o = open_overlay(l, s, &saved);
    o->gone = true;
    o->bare = true;
    for (uint32_t n = 1; n < s->kid_count; n++) {
        uint32_t i = fault_planted(FAULT_DECLARATORS_REVERSED) ? s->kid_count - n : n;
        ast_node *declarator = s->kid[i];
        item_add(l, ITEM_DECLARE, declarator);
        ast_node *init = initialiser_of(declarator);
        if (init == NULL || !is_object(declarator->ref) || (init->bits & MARK_AWAIT) == 0)
            continue;
        struct overlay *inner = ARENA_NEW(l->mem, struct overlay);
        inner->gone = true;
        declarator->data = inner;
        declarator->bits |= MARK_OVERLAY;
        l->overlay = inner;
        l->into = &inner->items;
        flatten_value(l, init);
        item_add(l, ITEM_INIT, declarator);
        l->overlay = o;
        l->into = &o->items;
    }
    close_overlay(l, &saved);
}

static void flatten_expression_statement(lowering *l, ast_node *s)
{
    ast_node *e = s->kid[0];
    if ((e->bits & MARK_AWAIT) == 0)
        return;
    struct saved saved;
    struct overlay *o = open_overlay(l, s, &saved);
    o->gone = true;
    flatten_discard(l, e);
    close_overlay(l, &saved);
}

/* ---- the walk ---------------------------------------------------------------------------------
 */

static void flatten_children(lowering *l, ast_node *s)
{
    for (uint32_t i = 0; i < s->kid_count; i++) {
        if (s->kid[i] != NULL && ast_is_statement(s->kid[i]->kind))
            flatten_statement(l, s->kid[i]);
    }
}

void flatten_statement(lowering *l, ast_node *s)
{
    if (s == NULL)
        return;
    while (s->kind == AST_IF && s->kid[2] != NULL) { /* else-if chains may be long */
        flatten_in_front(l, s, s->kid[0]);
        flatten_statement(l, s->kid[1]);
        s = s->kid[2];
    }
    switch (s->kind) {
    case AST_EXPR_STMT:
        flatten_expression_statement(l, s);
        return;
    case AST_DECL_STMT:
        flatten_declaration(l, s);
        return;
    case AST_IF:
    case AST_SWITCH:
        flatten_in_front(l, s, s->kid[0]);
        break;
    case AST_RETURN:
    case AST_GOTO_COMPUTED:
        if (s->kid_count > 0)
            flatten_in_front(l, s, s->kid[0]);
        return;
    case AST_WHILE:
        flatten_loop_condition(l, s, s->kid[0]);
        break;
    case AST_DO:
        flatten_do(l, s);
        return;
    case AST_FOR:
        flatten_for(l, s);
        return;
    case AST_ASM:
        for (uint32_t i = 0; i < s->kid_count; i++) {
            if ((s->kid[i]->bits & MARK_AWAIT) != 0)
                lower_error(l, DIAG_AWAIT_PLACE, s->kid[i],
                            "await in an asm operand cannot suspend; await into a variable first "
                            "and use that variable");
        }
        return;
    default:
        break;
    }
    flatten_children(l, s);
}

static void mark_up(ast_node *n)
{
    for (; n != NULL && (n->bits & MARK_AWAIT) == 0; n = n->parent)
        n->bits |= MARK_AWAIT;
}

static void mark_walk(ast_node *n)
{
    if (n->is_unevaluated)
        return;
    if (n->kind == AST_AWAIT)
        mark_up(n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            mark_walk(n->kid[i]);
    }
}

void mark_awaits(lowering *l)
{
    mark_walk(l->fn->root);
}

void flatten_awaits(lowering *l)
{
    flatten_statement(l, l->fn->root->kid[2]);
}
