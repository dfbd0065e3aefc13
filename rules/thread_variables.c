/* SPDX-License-Identifier: MIT */
/*
 * Three facts a variable: given a value, counted up, counted down; and the same once a suspension
 * lies behind. A read behind a given value is one, and so is counting down what was counted up
 * before. Per-thread statistics, which are only counted, are none; nor are caches, which are tested
 * before they are used.
 */
#include "rules/thread_variables.h"

#include <string.h>

#include "rules/carried_values.h"
#include "rules/suspension.h"
#include "rules/worlds.h"

enum { MAX_VARIABLES = 10, GIVEN = 1, UP = 2, DOWN = 4, PER_VARIABLE = 6 };

struct thread_variables {
    const fn_view *v;
    VEC(const char *) paths;
    bool reported[MAX_VARIABLES];
    thread_variable_names names; /* of those that were reported */
    world_flow *flow;
};

bool is_thread_variable(const fn_view *v, const ast_node *n)
{
    if (n->kind != AST_IDENT)
        return false;
    if (n->ref != NULL)
        return n->ref->kind == DECL_VAR && n->ref->is_thread_local;
    const sema_symbol *s = sema_ident_symbol(v->cx->sema, v->fn, n);
    return s != NULL && s->kind == SYMBOL_VARIABLE && s->is_thread_local;
}

static const ast_node *base_of(const ast_node *n)
{
    n = sema_strip(n);
    while ((n->kind == AST_MEMBER && n->op == OP_DOT) || n->kind == AST_INDEX)
        n = sema_strip(n->kid[0]);
    return n;
}

static uint32_t index_of(const struct thread_variables *t, const ast_node *n)
{
    bool is_place = n->kind == AST_IDENT || n->kind == AST_MEMBER || n->kind == AST_INDEX;
    if (!is_place || !is_thread_variable(t->v, base_of(n)))
        return UINT32_MAX;
    const char *path = path_raw(t->v, n);
    for (uint32_t i = 0; path != NULL && i < t->paths.count; i++) {
        if (strcmp(t->paths.at[i], path) == 0)
            return i;
    }
    return UINT32_MAX;
}

/* Is the place an argument through which the call may write? */
static bool is_written_by_call(const fn_view *v, const ast_node *n)
{
    const ast_node *up = n->parent;
    while (up != NULL && (up->kind == AST_PAREN || up->kind == AST_CAST)) {
        n = up;
        up = up->parent;
    }
    if (up == NULL || up->kind != AST_CALL || up->kid[0] == n ||
        sema_type(v->cx->sema, v->fn, n)->cls != CTYPE_ARRAY)
        return false;
    const ctype *type = sema_type(v->cx->sema, v->fn, up->kid[0]);
    while (type->cls == CTYPE_POINTER && type->elem != NULL)
        type = type->elem;
    for (uint32_t i = 1; i < up->kid_count; i++) {
        if (up->kid[i] == n)
            return type->cls == CTYPE_FUNCTION && i - 1 < type->param_count &&
                   type->params[i - 1]->elem != NULL && !type->params[i - 1]->elem->is_const;
    }
    return false;
}

static void find_written(struct thread_variables *t, const ast_node *n)
{
    const ast_node *place = NULL;
    if (n->kind == AST_ASSIGN || n->kind == AST_PREFIX || n->kind == AST_POSTFIX)
        place = sema_strip(n->kid[0]);
    else if (n->kind == AST_IDENT && is_written_by_call(t->v, n))
        place = n;
    if (place != NULL && is_thread_variable(t->v, base_of(place)) &&
        index_of(t, place) == UINT32_MAX && t->paths.count < MAX_VARIABLES) {
        const char *path = path_raw(t->v, place);
        if (path != NULL)
            VEC_PUSH(t->v->cx->mem, &t->paths, path);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_written(t, n->kid[i]);
    }
}

static uint64_t bits(uint32_t variable, unsigned what)
{
    return (uint64_t)what << (PER_VARIABLE * variable);
}

static unsigned step_of(const ast_node *n)
{
    if (n->kind == AST_PREFIX || n->kind == AST_POSTFIX)
        return n->op == OP_INC ? UP : DOWN;
    return n->op == OP_ADD ? UP : n->op == OP_SUB ? DOWN : GIVEN;
}

static void transfer(void *context, world_flow *f, const struct tree_item *item, struct worlds *w)
{
    (void)f;
    const struct thread_variables *t = context;
    const ast_node *n = item->node;
    if (item->kind != TREE_EXPR)
        return;
    if (suspends_at(t->v->cx, t->v->fn, item)) {
        uint64_t now = 0;
        for (uint32_t i = 0; i < t->paths.count; i++)
            now |= bits(i, GIVEN | UP | DOWN);
        for (uint32_t k = 0; k < w->count; k++)
            w->at[k].facts = (w->at[k].facts & ~now) | (w->at[k].facts & now) << 3;
        return;
    }
    bool is_step = n->kind == AST_ASSIGN || n->kind == AST_PREFIX || n->kind == AST_POSTFIX;
    uint32_t i = index_of(t, is_step ? sema_strip(n->kid[0]) : n);
    if (i == UINT32_MAX)
        return;
    if (is_step) {
        if (step_of(n) == GIVEN)
            worlds_clear(w, bits(i, 0x3f));
        worlds_set(w, bits(i, step_of(n)));
    } else if (is_written_by_call(t->v, n)) {
        worlds_clear(w, bits(i, 0x3f));
        worlds_set(w, bits(i, GIVEN));
    } else if (is_null_test(t->v, n)) {
        worlds_clear(w, bits(i, 0x3f));
    }
}

/* Does this item rely on what was put into variable i before a suspension? */
static bool relies(const struct thread_variables *t, const ast_node *n, uint32_t i, uint64_t facts)
{
    const ast_node *up = n->parent;
    if (is_not_read(n) || is_null_test(t->v, n) || is_written_by_call(t->v, n))
        return false;
    bool is_part = up != NULL && (up->kind == AST_MEMBER || up->kind == AST_INDEX) &&
                   up->kid[0] == n && index_of(t, up) != UINT32_MAX;
    if (is_part)
        return false;
    bool is_step = up != NULL &&
                   (up->kind == AST_PREFIX || up->kind == AST_POSTFIX || up->kind == AST_ASSIGN) &&
                   up->kid[0] == n;
    unsigned wanted = GIVEN;
    if (is_step && step_of(up) != GIVEN)
        wanted = step_of(up) == UP ? DOWN : UP;
    return (facts & bits(i, wanted << 3)) != 0;
}

static void check_item(struct thread_variables *t, const struct tree_item *item,
                       const struct worlds *w)
{
    uint32_t i = item->kind == TREE_EXPR ? index_of(t, item->node) : UINT32_MAX;
    if (i == UINT32_MAX || t->reported[i] || !relies(t, item->node, i, worlds_any(w)))
        return;
    t->reported[i] = true;
    VEC_PUSH(t->v->cx->mem, &t->names, ast_node_text(t->v->fn->tree, base_of(item->node)));
    rule_cx *cx = t->v->cx;
    const char *name = sema_text(cx->sema, t->v->fn, item->node, 40);
    struct candidate *c = rule_report(
        cx, item->node,
        "'%s' is the thread's own, and was changed in front of an await: the task may be on "
        "another thread by now, whose '%s' is another one; keep it with the task",
        name, name);
    rule_leaf(c, name);
}

thread_variable_names thread_variables_check(const fn_view *v)
{
    struct thread_variables t = {.v = v};
    find_written(&t, v->fn->tree->root);
    if (t.paths.count == 0)
        return t.names;
    t.flow = world_flow_new(v, transfer, &t);
    if (!world_flow_solve(t.flow))
        return t.names;
    const tree_cfg *g = world_flow_graph(t.flow);
    for (uint32_t b = 0; b < g->block_count; b++) {
        struct tree_flow_walk w = world_flow_walk(t.flow, b);
        while (tree_flow_next(&w))
            check_item(&t, w.item, w.state);
    }
    return t.names;
}
