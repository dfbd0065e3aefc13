/* SPDX-License-Identifier: MIT */
/*
 * A local is followed by its mentions only: none that takes the handle means that it is lost; none
 * between two spawns of one block, or inside the loop around a spawn, that the first one is.
 */
#include "rules/task_handles.h"

struct handle_walk {
    rule_cx *cx;
    void (*visit)(rule_cx *cx, const ast_node *spawn, const char *name, bool is_overwritten);
};

static bool is_spawn(const ast_node *n)
{
    return n->kind == AST_FORM && (n->op == FORM_SPAWN || n->op == FORM_SPAWN_ON);
}

static const ast_node *parent_of(const ast_node *n)
{
    n = n->parent;
    while (n != NULL && (n->kind == AST_PAREN || n->kind == AST_CAST))
        n = n->parent;
    return n;
}

static bool is_void_cast(rule_cx *cx, const ast_node *n)
{
    const ast_node *p = n->parent;
    while (p != NULL && p->kind == AST_PAREN)
        p = p->parent;
    return p != NULL && p->kind == AST_CAST && sema_type(cx->sema, cx->fn, p)->cls == CTYPE_VOID;
}

/* Does this mention of the local take the handle? */
static bool takes_handle(rule_cx *cx, const ast_node *ident)
{
    const ast_node *n = ident, *p = parent_of(ident);
    if (is_void_cast(cx, ident) || p == NULL)
        return false;
    switch (p->kind) {
    case AST_EXPR_STMT:
    case AST_IF:
    case AST_WHILE:
    case AST_AND_AND:
    case AST_OR_OR:
    case AST_BINARY:
        return false;
    case AST_UNARY:
        return p->op == OP_ADDR;
    case AST_CONDITIONAL:
        return sema_strip(p->kid[0]) != n;
    case AST_ASSIGN:
        return sema_strip(p->kid[0]) != n;
    case AST_CALL: {
        strview name = sema_callee_name(cx->sema, cx->fn, p);
        return !sv_is(name, "aw_cancel") && !sv_is(name, "aw_task_name") &&
               sema_strip(p->kid[0]) != n;
    }
    case AST_MEMBER: /* of a structure that is a local itself: its handles alone count */
        return p->op == OP_ARROW ||
               (sema_type(cx->sema, cx->fn, p)->cls == CTYPE_POINTER && takes_handle(cx, p));
    case AST_INDEX: /* t[i] = ... puts one there; else t[i] is what is mentioned */
        return sema_strip(p->kid[0]) != n || takes_handle(cx, p);
    default:
        return true;
    }
}

static bool is_taken_below(rule_cx *cx, const ast_node *n, const ast_decl *d)
{
    if (n->kind == AST_IDENT && n->ref == d && takes_handle(cx, n))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && is_taken_below(cx, n->kid[i], d))
            return true;
    }
    return false;
}

/* The local that keeps the handle; NULL: none does. */
static const ast_decl *keeper_of(const ast_node *spawn, bool *is_array)
{
    const ast_node *p = parent_of(spawn);
    *is_array = false;
    if (p == NULL)
        return NULL;
    if (p->kind == AST_DECLARATOR)
        return p->ref;
    if (p->kind != AST_ASSIGN)
        return NULL;
    const ast_node *target = sema_strip(p->kid[0]);
    if (target->kind == AST_INDEX) {
        target = sema_strip(target->kid[0]);
        *is_array = true;
    }
    if (target->kind == AST_MEMBER && target->op != OP_ARROW) {
        target = sema_strip(target->kid[0]);
        *is_array = true; /* other members are not looked at one by one */
    }
    return target->kind == AST_IDENT ? target->ref : NULL;
}

static const ast_node *statement_in_block(const ast_node *n)
{
    while (n != NULL && (n->parent == NULL || n->parent->kind != AST_COMPOUND))
        n = n->parent;
    return n;
}

static bool starts_with_store(const ast_node *statement, const ast_decl *d)
{
    if (statement->kind != AST_EXPR_STMT)
        return false;
    const ast_node *n = sema_strip_parens(statement->kid[0]);
    return n->kind == AST_ASSIGN && sema_strip(n->kid[0])->kind == AST_IDENT &&
           sema_strip(n->kid[0])->ref == d;
}

/* Is the next statement of the block that mentions the local another store to it? */
static bool is_overwritten_behind(rule_cx *cx, const ast_node *spawn, const ast_decl *d)
{
    const ast_node *s = statement_in_block(spawn);
    if (s == NULL)
        return false;
    const ast_node *block = s->parent;
    bool behind = false;
    for (uint32_t i = 0; i < block->kid_count; i++) {
        if (behind && starts_with_store(block->kid[i], d))
            return true;
        if (behind && is_taken_below(cx, block->kid[i], d))
            return false;
        behind = behind || block->kid[i] == s;
    }
    return false;
}

/* Is the handle given up by the next round of a loop? */
static bool is_overwritten_in_loop(rule_cx *cx, const ast_node *spawn, const ast_decl *d)
{
    for (const ast_node *n = spawn->parent; n != NULL; n = n->parent) {
        if (d->declarator != NULL && n->scope != NULL && n->scope == d->scope)
            return false;
        bool is_loop = n->kind == AST_FOR || n->kind == AST_WHILE || n->kind == AST_DO;
        if (is_loop)
            return !is_taken_below(cx, n, d);
        if (n->kind == AST_COMPOUND && statement_in_block(spawn) != NULL) {
            /* a way out of the loop behind the spawn: this one is the last */
            const ast_node *last = n->kid_count == 0 ? NULL : n->kid[n->kid_count - 1];
            if (last != NULL && (last->kind == AST_BREAK || last->kind == AST_RETURN))
                return false;
        }
    }
    return false;
}

static void check_spawn(const struct handle_walk *w, const ast_node *spawn)
{
    bool is_array;
    const ast_decl *d = keeper_of(spawn, &is_array);
    if (d == NULL || d->kind != DECL_VAR || d->storage == STORAGE_STATIC ||
        d->storage == STORAGE_EXTERN || d->cleanup != NULL)
        return;
    rule_cx *cx = w->cx;
    const char *name = arena_printf(cx->mem, "%.*s", SV_ARG(d->name));
    if (!is_taken_below(cx, cx->fn->tree->root, d))
        w->visit(cx, spawn, name, false);
    else if (!is_array &&
             (is_overwritten_behind(cx, spawn, d) || is_overwritten_in_loop(cx, spawn, d)))
        w->visit(cx, spawn, name, true);
}

static void walk(const struct handle_walk *w, const ast_node *n)
{
    if (is_spawn(n) && !n->is_unevaluated)
        check_spawn(w, n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            walk(w, n->kid[i]);
    }
}

void task_handles_lost(rule_cx *cx, void (*visit)(rule_cx *cx, const ast_node *spawn,
                                                  const char *name, bool is_overwritten))
{
    struct handle_walk w = {cx, visit};
    if (!ast_may_have(cx->fn->tree, AST_FORM))
        return;
    walk(&w, cx->fn->tree->root);
}
