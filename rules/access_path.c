/* SPDX-License-Identifier: MIT */
/*
 * Paths are built from the outside in: the base's path, then a step. `*p` is one step, `p[i]` and
 * `p + i` are two, so that they lie inside what p points to.
 */
#include "rules/access_path.h"

#include "rules/await_sites.h"

enum { ALIAS_DEPTH = 4 };

struct access_cx access_begin(rule_cx *cx, struct sema_function *fn)
{
    return (struct access_cx){cx, fn, await_local_uses(cx, fn)};
}

static void add_step(struct access_path *p, struct access_step step)
{
    if (p->count == ACCESS_STEPS_MAX)
        p->is_deep = true;
    else if (!p->is_deep)
        p->steps[p->count++] = step;
}

/* An index as variable + constant. */
static struct access_step index_step(const struct access_cx *a, const ast_node *n)
{
    struct access_step step = {.kind = STEP_INDEX, .text = ast_node_text(a->fn->tree, n)};
    n = sema_strip(n);
    if (sema_constant(a->cx->sema, a->fn, n, &step.offset)) {
        step.is_known = true;
        return step;
    }
    int64_t offset = 0;
    if (n->kind == AST_BINARY && (n->op == OP_ADD || n->op == OP_SUB) &&
        sema_constant(a->cx->sema, a->fn, n->kid[1], &offset)) {
        offset = n->op == OP_SUB ? -offset : offset;
        n = sema_strip(n->kid[0]);
    }
    if (n->kind == AST_IDENT && n->ref != NULL) {
        step.var = n->ref;
        step.offset = offset;
        step.is_known = true;
    }
    return step;
}

static struct access_path lvalue_in(const struct access_cx *a, const ast_node *n, unsigned depth);
static struct access_path pointee_in(const struct access_cx *a, const ast_node *n, unsigned depth);

static void add_index(const struct access_cx *a, struct access_path *p, const ast_node *index)
{
    add_step(p, index_step(a, index));
}

static struct access_path ident_path(const struct access_cx *a, const ast_node *n)
{
    struct access_path p = {.root_text = ast_node_text(a->fn->tree, n)};
    sema_symbol *s = sema_ident_symbol(a->cx->sema, a->fn, n);
    p.global = s;
    p.local = s == NULL ? n->ref : NULL;
    p.root = s != NULL ? (const void *)s : n->ref;
    return p;
}

static bool is_array(const struct access_cx *a, const ast_node *n)
{
    return sema_type(a->cx->sema, a->fn, n)->cls == CTYPE_ARRAY;
}

static struct access_path lvalue_in(const struct access_cx *a, const ast_node *n, unsigned depth)
{
    struct access_path p = {.root_text = ast_node_text(a->fn->tree, n)};
    n = sema_strip(n);
    switch (n->kind) {
    case AST_IDENT:
        return ident_path(a, n);
    case AST_MEMBER:
        p = n->op == OP_ARROW ? pointee_in(a, n->kid[0], depth) : lvalue_in(a, n->kid[0], depth);
        add_step(&p, (struct access_step){.kind = STEP_FIELD,
                                          .text = ast_token_text(a->fn->tree, n->name_token)});
        return p;
    case AST_INDEX: {
        bool of_pointer = !is_array(a, n->kid[0]);
        p = of_pointer ? pointee_in(a, n->kid[0], depth) : lvalue_in(a, n->kid[0], depth);
        add_index(a, &p, n->kid[1]);
        return p;
    }
    case AST_UNARY:
        return n->op == OP_DEREF ? pointee_in(a, n->kid[0], depth) : p;
    default:
        return p;
    }
}

/* The one value that a local is ever given; NULL. */
static const ast_node *only_value(const struct access_cx *a, const ast_node *ident)
{
    const ast_decl *d = ident->ref;
    if (d == NULL || d->kind != DECL_VAR || d->storage == STORAGE_STATIC)
        return NULL;
    const struct local_use *use = &a->uses->at[d->id];
    bool is_one = use->assignments == 1 && !use->address_taken && !use->is_changed;
    return is_one ? use->value : NULL;
}

static struct access_path pointee_in(const struct access_cx *a, const ast_node *n, unsigned depth)
{
    n = sema_strip(n);
    if (n->kind == AST_UNARY && n->op == OP_ADDR)
        return lvalue_in(a, n->kid[0], depth);
    if (n->kind == AST_BINARY && (n->op == OP_ADD || n->op == OP_SUB)) {
        struct access_path p = pointee_in(a, n->kid[0], depth);
        add_index(a, &p, n->kid[1]);
        return p;
    }
    if (n->kind == AST_IDENT && depth > 0) {
        const ast_node *value = only_value(a, n);
        const ast_node *bare = value == NULL ? NULL : sema_strip(value);
        bool is_path = bare != NULL && (bare->kind == AST_IDENT || bare->kind == AST_MEMBER ||
                                        bare->kind == AST_INDEX || bare->kind == AST_UNARY ||
                                        (bare->kind == AST_BINARY && bare->op == OP_ADD));
        if (is_path)
            return pointee_in(a, value, depth - 1);
    }
    struct access_path p = lvalue_in(a, n, depth);
    if (!is_array(a, n))
        add_step(&p, (struct access_step){.kind = STEP_DEREF});
    return p;
}

struct access_path access_lvalue(const struct access_cx *a, const ast_node *n)
{
    return lvalue_in(a, n, ALIAS_DEPTH);
}

struct access_path access_pointee(const struct access_cx *a, const ast_node *n)
{
    return pointee_in(a, n, ALIAS_DEPTH);
}

/* ---- comparing --------------------------------------------------------------------------------
 */

enum step_relation { STEP_SAME, STEP_DIFFERENT, STEP_PERHAPS };

static enum step_relation compare_steps(const struct access_step *a, const struct access_step *b)
{
    if (a->kind != b->kind)
        return STEP_PERHAPS;
    switch (a->kind) {
    case STEP_DEREF:
        return STEP_SAME;
    case STEP_FIELD:
        return sv_equal(a->text, b->text) ? STEP_SAME : STEP_DIFFERENT;
    case STEP_INDEX:
        if (a->is_known && b->is_known && a->var == b->var)
            return a->offset == b->offset ? STEP_SAME : STEP_DIFFERENT;
        return sv_equal(a->text, b->text) ? STEP_SAME : STEP_PERHAPS;
    }
    return STEP_PERHAPS;
}

static bool same_root(const struct access_path *a, const struct access_path *b)
{
    if (a->root != NULL || b->root != NULL)
        return a->root == b->root;
    return sv_equal(a->root_text, b->root_text);
}

/* Do the steps of p behind the first n stay inside the object, or is all below meant anyway? */
static bool stays_inside(const struct access_path *whole, const struct access_path *p)
{
    if (whole->is_deep)
        return true;
    for (uint32_t i = whole->count; i < p->count; i++) {
        if (p->steps[i].kind == STEP_DEREF)
            return false;
    }
    return true;
}

bool access_overlap(const struct access_path *a, const struct access_path *b)
{
    if (!same_root(a, b))
        return false;
    uint32_t common = a->count < b->count ? a->count : b->count;
    for (uint32_t i = 0; i < common; i++) {
        if (compare_steps(&a->steps[i], &b->steps[i]) == STEP_DIFFERENT)
            return false;
    }
    return a->count <= b->count ? stays_inside(a, b) : stays_inside(b, a);
}

bool access_is_same(const struct access_path *a, const struct access_path *b)
{
    if (!same_root(a, b) || a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (compare_steps(&a->steps[i], &b->steps[i]) != STEP_SAME)
            return false;
    }
    return true;
}

bool access_is_local(const struct access_path *p)
{
    return p->local != NULL && p->count == 0 &&
           (p->local->kind == DECL_VAR || p->local->kind == DECL_PARAM) &&
           p->local->storage != STORAGE_STATIC;
}
