/* SPDX-License-Identifier: MIT */
/*
 * awaitc-large-frame: an async function that keeps more than a limit of its own locals over an
 * await. Each task that waits there holds that much memory, so a few thousand hold a lot. What is
 * kept at an await: the locals in scope whose value is read later, that the awaited call itself is
 * given, or whose address something unknown may have kept. A buffer that is filled and used between
 * two awaits is not.
 */
#include "analyzer/base/bitset.h"
#include "analyzer/base/check.h"
#include "analyzer/flow/tree_paths.h"
#include "rules/rule.h"
#include "rules/tree_terms.h"

enum { SMALL = 512 }; /* locals below this do not make a frame large */

struct big_local {
    const ast_decl *decl;
    uint64_t bytes;
    VEC(const ast_node *) uses; /* AST_IDENT */
    VEC(uint32_t) escapes;      /* items behind which somebody may keep the address */
};

struct frame {
    rule_cx *cx;
    const tree_cfg *g;
    tree_paths *paths;
    VEC(struct big_local) locals;
};

/* ---- the large locals
 * ---------------------------------------------------------------------------- */

static void find_locals(struct frame *f)
{
    rule_cx *cx = f->cx;
    const ast_function *fn = cx->fn->tree;
    for (size_t i = 0; i < fn->decls.count; i++) {
        const ast_decl *d = fn->decls.at[i];
        bool is_own =
            (d->kind == DECL_VAR && d->storage != STORAGE_STATIC && d->storage != STORAGE_EXTERN) ||
            d->kind == DECL_PARAM;
        if (!is_own || d->declarator == NULL)
            continue;
        const ctype *type = sema_decl_type(cx->sema, cx->fn, d);
        if (type->size_bytes >= SMALL && type->cls != CTYPE_FUNCTION &&
            !(d->kind == DECL_PARAM && type->cls == CTYPE_ARRAY))
            VEC_PUSH(cx->mem, &f->locals, (struct big_local){.decl = d, .bytes = type->size_bytes});
    }
}

/* ---- what keeps an address
 * ------------------------------------------------------------------------ */

static const struct {
    const char *name;
    uint64_t mask;
} no_escape[] = {
#define NOESCAPE(name, mask)       {name, mask},
#define NOESCAPE_FIRST(name, mask) {name, mask},
#include "analyzer/parse/noescape_functions.def"
#undef NOESCAPE
#undef NOESCAPE_FIRST
};

static bool keeps_no_copy(rule_cx *cx, const ast_node *call, uint32_t arg)
{
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    if (sema_call_is_async(cx->sema, cx->fn, call))
        return true; /* awaited: over when it returns */
    if (sv_starts(name, "__builtin_") && !sv_ends(name, "_chk"))
        name = (strview){name.at + strlen("__builtin_"), name.len - strlen("__builtin_")};
    for (size_t i = 0; i < COUNTOF(no_escape); i++) {
        if (sv_is(name, no_escape[i].name))
            return arg >= 63 || (no_escape[i].mask >> arg & 1) != 0;
    }
    const sema_symbol *callee = sema_callee(cx->sema, cx->fn, call);
    if (callee == NULL)
        return false;
    return sema_param_is_noescape(cx->sema, callee, arg);
}

/* The call and the number of the argument that a use of a local is handed over as: its address, or
 * the array that decays to it. NULL: it is only read or written. */
static const ast_node *handed_to(rule_cx *cx, const ast_node *use, uint32_t *arg)
{
    const ast_node *n = use;
    bool is_address = sema_type(cx->sema, cx->fn, use)->cls == CTYPE_ARRAY;
    for (; n->parent != NULL; n = n->parent) {
        const ast_node *up = n->parent;
        if (up->kind == AST_CALL && n != up->kid[0]) {
            for (uint32_t i = 0; i < sema_arg_count(up); i++) {
                if (sema_arg(up, i) == n)
                    *arg = i;
            }
            return is_address ? up : NULL;
        }
        if (up->kind == AST_UNARY && up->op == OP_ADDR)
            is_address = true;
        else if (up->kind == AST_INDEX || up->kind == AST_MEMBER)
            is_address = sema_type(cx->sema, cx->fn, up)->cls == CTYPE_ARRAY;
        else if (up->kind != AST_PAREN && up->kind != AST_CAST &&
                 !(up->kind == AST_BINARY && (up->op == OP_ADD || up->op == OP_SUB)))
            break;
    }
    return NULL;
}

/* Is the use a store of the address: p = buf, s.p = &x? */
static bool is_stored(rule_cx *cx, const ast_node *use)
{
    const ast_node *n = use;
    bool is_address = sema_type(cx->sema, cx->fn, use)->cls == CTYPE_ARRAY;
    while (n->parent != NULL && (n->parent->kind == AST_PAREN || n->parent->kind == AST_CAST ||
                                 (n->parent->kind == AST_UNARY && n->parent->op == OP_ADDR) ||
                                 (n->parent->kind == AST_BINARY && n->parent->op == OP_ADD))) {
        n = n->parent;
        is_address = is_address || n->kind == AST_UNARY;
    }
    const ast_node *up = n->parent;
    if (!is_address || up == NULL)
        return false;
    return (up->kind == AST_ASSIGN && up->kid[1] == n) || up->kind == AST_DECLARATOR ||
           up->kind == AST_INIT_LIST || up->kind == AST_DESIGNATED || up->kind == AST_RETURN;
}

struct use_search {
    struct frame *f;
    struct big_local *local;
};

static bool visit_use(void *context, const ast_node *n)
{
    struct use_search *search = context;
    struct frame *f = search->f;
    uint32_t arg = 0, item = TREE_NONE;
    if (n->kind != AST_IDENT || n->ref != search->local->decl)
        return true;
    VEC_PUSH(f->cx->mem, &search->local->uses, n);
    const ast_node *call = handed_to(f->cx, n, &arg);
    if (call != NULL && !keeps_no_copy(f->cx, call, arg))
        item = tree_cfg_find(f->g, call);
    else if (is_stored(f->cx, n))
        item = tree_cfg_find(f->g, n);
    if (item != TREE_NONE)
        VEC_PUSH(f->cx->mem, &search->local->escapes, item);
    return true;
}

/* ---- what an await keeps
 * --------------------------------------------------------------------------- */

struct stop_at {
    const tree_cfg *g;
    const ast_node *declarator;
};

/* A declaration that control comes to again makes the variable anew. */
static bool is_declared(void *context, uint32_t item)
{
    const struct stop_at *stop = context;
    return stop->g->items[item].kind == TREE_DECL && stop->g->items[item].node == stop->declarator;
}

static bool in_scope(const struct big_local *local, const ast_node *await)
{
    const ast_scope *scope = local->decl->scope;
    return scope == NULL || scope->node == NULL || tree_is_inside(await, scope->node);
}

/* Is the local given to what is awaited, so that it is used while the task waits? */
static bool is_given(const struct frame *f, const struct big_local *local, const ast_node *await)
{
    for (size_t i = 0; i < local->uses.count; i++) {
        uint32_t arg;
        const ast_node *use = local->uses.at[i];
        if (tree_is_inside(use, await) && handed_to(f->cx, use, &arg) != NULL)
            return true;
    }
    return false;
}

static bool is_kept(const struct frame *f, const struct big_local *local, uint32_t await_item)
{
    const ast_node *await = f->g->items[await_item].node;
    struct stop_at stop = {f->g, local->decl->declarator};
    if (!in_scope(local, await))
        return false;
    if (is_given(f, local, await))
        return true;
    for (size_t i = 0; i < local->uses.count; i++) {
        uint32_t use = tree_cfg_find(f->g, local->uses.at[i]);
        if (use != TREE_NONE && tree_paths_reach(f->paths, await_item, use, is_declared, &stop))
            return true;
    }
    for (size_t i = 0; i < local->escapes.count; i++) {
        if (tree_paths_reach(f->paths, local->escapes.at[i], await_item, is_declared, &stop))
            return true;
    }
    return false;
}

/* ---- the finding
 * ------------------------------------------------------------------------------------ */

static const char *size_text(arena *mem, uint64_t bytes)
{
    if (bytes % 1024 == 0 || bytes >= 100 * 1024)
        return arena_printf(mem, "%llu KiB", (unsigned long long)(bytes / 1024));
    return arena_printf(mem, "%llu bytes", (unsigned long long)bytes);
}

static void report(const struct frame *f, const struct big_local *local, uint32_t await_item,
                   uint64_t total, const bitset *kept)
{
    rule_cx *cx = f->cx;
    uint64_t limit = rule_option(cx, LINT_LARGE_FRAME_LIMIT);
    struct diag_place place = sema_token_place(cx->sema, cx->fn, local->decl->token);
    const char *name = arena_printf(cx->mem, "%.*s", SV_ARG(local->decl->name));
    struct candidate *c = rule_report_at(
        cx, place, arena_printf(cx->mem, "%.*s", SV_ARG(cx->fn->tree->name)),
        "'%s' takes %s of the frame of '%.*s' (%s in all, limit %s), which every task that waits "
        "here keeps; allocate it when it is needed, share one a worker, or let its scope end "
        "before "
        "the await",
        name, size_text(cx->mem, local->bytes), SV_ARG(cx->fn->tree->name),
        size_text(cx->mem, total), size_text(cx->mem, limit));
    c->finding.end_column = place.column + (uint32_t)local->decl->name.len;
    rule_note(cx, c, f->g->items[await_item].node, "kept over this await");
    BITSET_FOR_EACH (i, kept) {
        const struct big_local *other = &f->locals.at[i];
        if (other != local)
            rule_note_at(cx, c, sema_token_place(cx->sema, cx->fn, other->decl->token), NULL,
                         "'%.*s' adds %s", SV_ARG(other->decl->name),
                         size_text(cx->mem, other->bytes));
    }
    rule_leaf(c, name);
}

static void report_frame(const struct frame *f, uint32_t await_item, uint64_t total,
                         const bitset *kept)
{
    uint64_t limit = rule_option(f->cx, LINT_LARGE_FRAME_LIMIT);
    const struct big_local *largest = NULL;
    bool is_reported = false;
    BITSET_FOR_EACH (i, kept) {
        const struct big_local *local = &f->locals.at[i];
        if (largest == NULL || local->bytes > largest->bytes)
            largest = local;
        if (local->bytes > limit)
            report(f, local, await_item, total, kept);
        is_reported = is_reported || local->bytes > limit;
    }
    if (!is_reported && largest != NULL)
        report(f, largest, await_item, total, kept);
}

static uint64_t kept_at(const struct frame *f, uint32_t await_item, bitset *kept)
{
    uint64_t total = 0;
    bitset_clear(kept);
    for (uint32_t i = 0; i < f->locals.count; i++) {
        if (!is_kept(f, &f->locals.at[i], await_item))
            continue;
        bitset_add(kept, i);
        total += f->locals.at[i].bytes;
    }
    return total;
}

static void on_function(rule_cx *cx)
{
    struct frame f = {.cx = cx};
    uint64_t most = 0;
    uint32_t worst = TREE_NONE;
    if (!cx->fn->tree->is_async)
        return;
    find_locals(&f);
    if (f.locals.count == 0)
        return;
    f.g = rule_cfg(cx);
    f.paths = tree_paths_new(cx->mem, f.g);
    for (size_t i = 0; i < f.locals.count; i++) {
        struct use_search search = {.f = &f, .local = &f.locals.at[i]};
        tree_visit(cx->fn->tree->root, visit_use, &search);
    }
    bitset kept = bitset_new(cx->mem, (uint32_t)f.locals.count);
    for (uint32_t i = 0; i < f.g->item_count; i++) {
        const struct tree_item *item = &f.g->items[i];
        if (item->node->kind != AST_AWAIT || !tree_cfg_is_reachable(f.g, item->block))
            continue;
        uint64_t total = kept_at(&f, i, &kept);
        if (total > most) {
            most = total;
            worst = i;
        }
    }
    if (most > rule_option(cx, LINT_LARGE_FRAME_LIMIT)) {
        kept_at(&f, worst, &kept);
        report_frame(&f, worst, most, &kept);
    }
}

const struct rule_calls rule_large_frame = {.on_function = on_function};
