/* SPDX-License-Identifier: MIT */
/*
 * How does an async function run its clean-ups, and on which ways out? A suspended function returns
 * to its caller, and a compiler's own cleanup attribute would run then; so each clean-up becomes
 * code at the end of its block, once (all of them, so that their order and `return`'s value are the
 * same whether or not an await is near):
 *
 *     { T x cleanup(fn) = ...; ... return 1; ... }
 *     { T x = ...; ... { aw__result = 1; aw__why = 1; goto aw__fin_1; } ...
 *       aw__why = 0; aw__fin_1: fn(&x); if (aw__why == 1) goto aw__return; }
 *
 * `defer` and the implicit clean-up of an aw_scope are the same thing with other code. A clean-up
 * is active from its declaration to the end of its block; a jump runs those that are active where
 * it starts and not where it ends; a jump to where one is active that was not is an error.
 */
#include "analyzer/base/check.h"
#include "transforms/lowering.h"

struct cleanup *cleanup_at(const lowering *l, uint32_t token)
{
    struct cleanup *innermost = NULL;
    for (size_t i = 0; i < l->cleanups.count; i++) {
        struct cleanup *c = l->cleanups.at[i];
        if (c->from <= token && token < c->to)
            innermost = c; /* they are in order of `from` */
    }
    return innermost;
}

static bool chain_has(const struct cleanup *chain, const struct cleanup *wanted)
{
    for (; chain != NULL; chain = chain->outer) {
        if (chain == wanted)
            return true;
    }
    return wanted == NULL;
}

static ast_node *block_of(ast_node *n)
{
    for (n = n->parent; n != NULL; n = n->parent) {
        if (n->kind == AST_COMPOUND || n->kind == AST_FOR)
            return n;
    }
    return NULL;
}

static bool is_aw_scope(const lowering *l, const ast_decl *d)
{
    const struct type *t = type_of(l, d->type);
    return t->cls == TYPE_RECORD && t->before != NULL &&
           (sv_starts(sv_from(t->before), "aw_scope ") ||
            sv_starts(sv_from(t->before), "struct aw_scope "));
}

static void mark_flattened(ast_node *n)
{
    for (; n != NULL; n = n->parent)
        n->bits |= MARK_AWAIT;
}

static void add_cleanup(lowering *l, ast_node *node, ast_decl *decl, bool is_scope)
{
    ast_node *block = block_of(node);
    AWC_ASSERT(block != NULL); /* the body of the function is one */
    struct cleanup *c = ARENA_NEW(l->mem, struct cleanup);
    *c = (struct cleanup){.node = node,
                          .decl = decl,
                          .block = block,
                          .from = node->last,
                          .to = block->last,
                          .is_scope = is_scope};
    if (block->parent != NULL && block->parent->kind == AST_STMT_EXPR)
        mark_flattened(block); /* its value is computed before its clean-ups run */
    c->outer = cleanup_at(l, node->last);
    c->number = (uint32_t)l->cleanups.count + 1;
    node->bits |= MARK_HAND_CLEANUP;
    if (decl != NULL && decl->cleanup != NULL)
        decl->cleanup->bits |= MARK_HAND_CLEANUP;
    VEC_PUSH(l->mem, &l->cleanups, c);
}

static void collect(lowering *l, ast_node *n)
{
    if (n->kind == AST_DEFER)
        add_cleanup(l, n, NULL, false);
    if (n->kind == AST_DECLARATOR && n->ref != NULL && n->ref->kind == DECL_VAR &&
        (n->ref->storage == STORAGE_AUTO || n->ref->storage == STORAGE_REGISTER)) {
        if (n->ref->cleanup != NULL)
            add_cleanup(l, n, n->ref, false);
        else if (is_aw_scope(l, n->ref))
            add_cleanup(l, n, n->ref, true);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && n->kind != AST_DEFER)
            collect(l, n->kid[i]);
    }
}

/* aw_scopes wait when they are left: their block holds an await. */
static void mark_scopes(lowering *l, ast_node *n)
{
    if (n->kind == AST_DECLARATOR && n->ref != NULL && n->ref->kind == DECL_VAR &&
        n->ref->storage == STORAGE_AUTO && is_aw_scope(l, n->ref)) {
        for (ast_node *up = block_of(n); up != NULL; up = up->parent)
            up->bits |= MARK_AWAIT;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            mark_scopes(l, n->kid[i]);
    }
}

/* ---- ways out ---------------------------------------------------------------------------------
 */

static ast_node *jump_loop(ast_node *jump)
{
    for (ast_node *n = jump->parent; n != NULL; n = n->parent) {
        bool is_loop = n->kind == AST_WHILE || n->kind == AST_DO || n->kind == AST_FOR;
        if (fault_planted(FAULT_BREAK_PASSES_SWITCH) && !is_loop)
            continue;
        if (is_loop || (n->kind == AST_SWITCH && jump->kind == AST_BREAK))
            return n;
    }
    return NULL;
}

static ast_node *loop_body(ast_node *loop)
{
    return loop->kind == AST_DO ? loop->kid[0] : loop->kid[loop->kid_count - 1];
}

static struct way_out *way_get(lowering *l, enum exit_kind kind, ast_decl *label, ast_node *loop)
{
    for (size_t i = 0; i < l->ways.count; i++) {
        struct way_out *w = l->ways.at[i];
        if (w->kind == kind && w->label == label && w->loop == loop)
            return w;
    }
    struct way_out *w = ARENA_NEW(l->mem, struct way_out);
    *w = (struct way_out){.kind = kind, .label = label, .loop = loop};
    w->number = (uint32_t)l->ways.count + 1;
    VEC_PUSH(l->mem, &l->ways, w);
    return w;
}

/* The way passes through all clean-ups from `from` outwards that `to` is not inside of. */
static void pass_through(lowering *l, struct way_out *w, struct cleanup *from,
                         const struct cleanup *to)
{
    for (struct cleanup *c = from; c != NULL && !chain_has(to, c); c = c->outer) {
        bool known = false;
        for (size_t i = 0; i < c->ways.count; i++)
            known |= c->ways.at[i] == w;
        if (!known)
            VEC_PUSH(l->mem, &c->ways, w);
    }
}

/* Where a jump goes: the clean-ups active there. False: it is not a jump that can leave one. */
static bool jump_target(lowering *l, ast_node *jump, struct cleanup **to, enum exit_kind *kind,
                        ast_decl **label, ast_node **loop)
{
    *to = NULL;
    *label = NULL;
    *loop = NULL;
    switch (jump->kind) {
    case AST_RETURN:
        *kind = EXIT_RETURN;
        return true;
    case AST_GOTO:
        *kind = EXIT_GOTO;
        *label = jump->ref;
        if (jump->ref == NULL)
            return false;
        *to = cleanup_at(l, jump->ref->token);
        return true;
    case AST_BREAK:
    case AST_CONTINUE:
        *kind = jump->kind == AST_BREAK ? EXIT_BREAK : EXIT_CONTINUE;
        *loop = jump_loop(jump);
        if (*loop == NULL)
            return false;
        *to = cleanup_at(l, loop_body(*loop)->first);
        return true;
    default:
        return false;
    }
}

struct way_out *way_out_for(lowering *l, const ast_node *jump)
{
    struct cleanup *from = cleanup_at(l, jump->first), *to;
    enum exit_kind kind;
    ast_decl *label;
    ast_node *loop;
    if (from == NULL || !jump_target(l, (ast_node *)(uintptr_t)jump, &to, &kind, &label, &loop) ||
        chain_has(to, from))
        return NULL;
    return way_get(l, kind, label, loop);
}

static void check_entry(lowering *l, ast_node *at, const struct cleanup *from, struct cleanup *to)
{
    for (struct cleanup *c = to; c != NULL; c = c->outer) {
        if (chain_has(from, c))
            return;
        lower_error(l, DIAG_CLEANUP_JUMP, at,
                    "this jumps into the scope of %s, past the place where it starts; move its "
                    "declaration into a block of its own",
                    c->decl != NULL ? "a variable with a clean-up" : "a defer");
        diag_note(l->unit->sink, lower_place(l, c->node->first), "the scope starts here");
        return;
    }
}

static void collect_ways(lowering *l, ast_node *n)
{
    struct cleanup *from = cleanup_at(l, n->first), *to;
    enum exit_kind kind;
    ast_decl *label;
    ast_node *loop;
    if (jump_target(l, n, &to, &kind, &label, &loop)) {
        if (kind == EXIT_GOTO)
            check_entry(l, n, from, to);
        if (from != NULL && !chain_has(to, from))
            pass_through(l, way_get(l, kind, label, loop), from, to);
    }
    if (n->kind == AST_AWAIT && from != NULL)
        pass_through(l, way_get(l, EXIT_CANCEL, NULL, NULL), from, NULL);
    if (n->kind == AST_CASE || n->kind == AST_DEFAULT) {
        ast_node *sw = n->parent;
        while (sw != NULL && sw->kind != AST_SWITCH)
            sw = sw->parent;
        if (sw != NULL)
            check_entry(l, n, cleanup_at(l, sw->first), cleanup_at(l, n->first));
    }
    if (n->kind == AST_GOTO_COMPUTED && l->cleanups.count > 0)
        lower_error(l, DIAG_CLEANUP_JUMP, n,
                    "a computed goto in a function with clean-ups may leave or enter their scopes; "
                    "use a switch over plain gotos");
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            collect_ways(l, n->kid[i]);
    }
}

/* The code of clean-ups stands behind the scope of the block's variable arrays: what a clean-up
 * needs must have been declared before them. */
static void check_variable_arrays(lowering *l)
{
    for (size_t i = 0; i < l->fn->decls.count; i++) {
        const ast_decl *d = l->fn->decls.at[i];
        if ((d->kind != DECL_VAR && d->kind != DECL_TYPEDEF) || !type_of(l, d->type)->is_variable)
            continue;
        for (size_t k = 0; k < l->cleanups.count; k++) {
            const struct cleanup *c = l->cleanups.at[k];
            if (c->block != d->scope->node || c->from <= d->token)
                continue;
            lower_error(l, DIAG_VLA_ACROSS_AWAIT, d->declarator,
                        "`%.*s`, whose type depends on a run-time value, stands in front of a "
                        "clean-up of the same block; move it behind, or into a block of its own",
                        SV_ARG(d->name));
            diag_note(l->unit->sink, lower_place(l, c->node->first), "the clean-up is this one");
            break;
        }
    }
}

void find_cleanups(lowering *l)
{
    if (!l->is_async)
        return;
    mark_scopes(l, l->fn->root->kid[2]);
    collect(l, l->fn->root->kid[2]);
    if (l->cleanups.count == 0)
        return;
    check_variable_arrays(l);
    collect_ways(l, l->fn->root->kid[2]);
    for (size_t i = 0; i < l->cleanups.count; i++) {
        struct cleanup *c = l->cleanups.at[i];
        if (!c->is_scope)
            continue;
        if (c->outer != NULL) /* a cancel can land while the scope waits */
            pass_through(l, way_get(l, EXIT_CANCEL, NULL, NULL), c->outer, NULL);
        l->stores_why = true;
    }
}
