/* SPDX-License-Identifier: MIT */
/*
 * Sites, the locals that hold what they acquired, and their releases are found by walks over the
 * tree; where a site is alive is a question for worlds.h, since acquiring may fail. A defer
 * protects from its place to the end of its block.
 */
#include "rules/owned_values.h"

#include <string.h>

#include "analyzer/program/lint_settings.h"
#include "rules/name_meanings.h"
#include "rules/suspension.h"
#include "rules/worlds.h"

enum { MAX_SITES = 40 };

struct owned {
    const fn_view *v;
    VEC(struct owned_site) sites;
    bool *reported;
    world_flow *flow;
};

/* ---- sites ----------------------------------------------------------------------------------- */

static uint8_t success_of(enum owned_failure fails)
{
    switch (fails) {
    case OWNED_FAILS_NULL:
        return SIGN_POSITIVE | SIGN_NEGATIVE;
    case OWNED_FAILS_NEGATIVE:
        return SIGN_ZERO | SIGN_POSITIVE;
    case OWNED_FAILS_NONZERO:
        return SIGN_ZERO;
    case OWNED_NEVER_FAILS:
        break;
    }
    return SIGN_ANY;
}

static bool is_automatic(const ast_decl *d)
{
    return d != NULL && (d->kind == DECL_VAR || d->kind == DECL_PARAM) &&
           (d->storage == STORAGE_AUTO || d->storage == STORAGE_REGISTER) && !d->is_thread_local &&
           d->cleanup == NULL;
}

/* The local that a call's result is given to; NULL. */
static const ast_decl *target_of(const ast_node *call)
{
    const ast_node *below = call, *n = call->parent;
    for (; n != NULL; below = n, n = n->parent) {
        if (n->kind != AST_PAREN && n->kind != AST_CAST && n->kind != AST_AWAIT)
            break;
    }
    if (n == NULL)
        return NULL;
    if (n->kind == AST_DECLARATOR && n->kid[n->kid_count - 1] == below)
        return n->ref;
    bool is_given = n->kind == AST_ASSIGN && n->op == OP_ASSIGN && n->kid[1] == below;
    const ast_node *left = is_given ? sema_strip(n->kid[0]) : NULL;
    return left != NULL && left->kind == AST_IDENT ? left->ref : NULL;
}

/* The left side of the assignment that the call's result goes to; NULL. */
static const ast_node *target_lvalue(const ast_node *call)
{
    const ast_node *n = call->parent;
    while (n != NULL && (n->kind == AST_PAREN || n->kind == AST_CAST))
        n = n->parent;
    return n != NULL && n->kind == AST_ASSIGN ? sema_strip(n->kid[0]) : NULL;
}

static void add_site(struct owned *o, const ast_node *call, const struct known_owner *row,
                     const ast_decl *d, const char *part)
{
    if (!is_automatic(d) || o->sites.count >= MAX_SITES)
        return;
    arena *mem = o->v->cx->mem;
    struct owned_site s = {.call = call,
                           .at = call_is_done_at(call),
                           .row = row,
                           .success = success_of(row->fails),
                           .target = target_lvalue(call),
                           .name = arena_printf(mem, "%.*s%s", SV_ARG(d->name), part)};
    s.holder[s.holder_count++] = path_add(mem, path_of_decl(o->v, d), part);
    VEC_PUSH(mem, &o->sites, s);
}

static void add_row(struct owned *o, const ast_node *call, const struct known_owner *row)
{
    if (row->where.kind == PLACE_RESULT) {
        add_site(o, call, row, target_of(call), "");
        return;
    }
    if (row->where.arg < 0 || (uint32_t)row->where.arg >= sema_arg_count(call))
        return;
    const ast_node *arg = sema_strip(sema_arg(call, (uint32_t)row->where.arg));
    bool is_address = arg->kind == AST_UNARY && arg->op == OP_ADDR;
    if (row->where.kind == PLACE_POINTEE && is_address &&
        sema_strip(arg->kid[0])->kind == AST_IDENT) {
        add_site(o, call, row, sema_strip(arg->kid[0])->ref, "");
    } else if (row->where.kind == PLACE_ELEMENTS && arg->kind == AST_IDENT &&
               sema_type(o->v->cx->sema, o->v->fn, arg)->cls == CTYPE_ARRAY) {
        add_site(o, call, row, arg->ref, "[0]");
        add_site(o, call, row, arg->ref, "[1]");
    }
}

/* What a function of the unit acquires and returns; NULL. */
static const struct known_owner *returned_row(const fn_view *v, const ast_node *n, unsigned depth);

static const struct known_owner *row_of_value(const fn_view *v, const ast_node *n, unsigned depth)
{
    size_t count;
    n = sema_strip(n);
    if (n->kind == AST_AWAIT)
        n = sema_strip(n->kid[0]);
    if (n->kind == AST_IDENT && is_automatic(n->ref) && n->ref->kind == DECL_VAR) {
        const struct local_use *use = &v->uses->at[n->ref->id];
        return use->value == NULL || depth == 0 ? NULL : row_of_value(v, use->value, depth - 1);
    }
    if (n->kind != AST_CALL)
        return NULL;
    strview name = sema_callee_name(v->cx->sema, v->fn, n);
    const struct known_owner *rows = known_owners_of(v->cx->settings->known, name, &count);
    if (count != 0)
        return rows[0].where.kind == PLACE_RESULT ? rows : NULL;
    const fn_view *body = depth == 0 ? NULL : view_of_callee(v, n);
    return body == NULL ? NULL : returned_row(body, body->fn->tree->root, depth - 1);
}

static const struct known_owner *returned_row(const fn_view *v, const ast_node *n, unsigned depth)
{
    if (n->kind == AST_RETURN && n->kid_count != 0 && n->kid[0] != NULL)
        return row_of_value(v, n->kid[0], depth);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const struct known_owner *row =
            n->kid[i] == NULL ? NULL : returned_row(v, n->kid[i], depth);
        if (row != NULL)
            return row;
    }
    return NULL;
}

/* A form behind which it is known whether its branch was run: not one in another task, nor one that
 * may have been cancelled for another's sake. */
static bool is_simple_form(const ast_node *form, const ast_node *call)
{
    return call_is_done_at(call) != call && form_of_call(form) == NULL &&
           (form->op == FORM_ALL || form->op == FORM_TIMEOUT || form->op == FORM_BLOCKING ||
            form->op == FORM_COMPUTE);
}

static void find_sites(struct owned *o, const ast_node *n)
{
    if (n->is_unevaluated)
        return;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_sites(o, n->kid[i]);
    }
    if (n->kind != AST_CALL)
        return;
    const ast_node *form = form_of_call(n);
    if (form != NULL && !is_simple_form(form, n))
        return;
    size_t count;
    strview name = sema_callee_name(o->v->cx->sema, o->v->fn, n);
    const struct known_owner *rows = known_owners_of(o->v->cx->settings->known, name, &count);
    for (size_t i = 0; i < count; i++)
        add_row(o, n, &rows[i]);
    const struct known_owner *row =
        count == 0 && is_automatic(target_of(n)) && form == NULL ? row_of_value(o->v, n, 3) : NULL;
    if (row != NULL)
        add_site(o, n, row, target_of(n), "");
}

/* ---- holders --------------------------------------------------------------------------------- */

static bool holds(const struct owned *o, const struct owned_site *s, const ast_node *n)
{
    const char *path = path_raw(o->v, n);
    for (uint32_t i = 0; path != NULL && i < s->holder_count; i++) {
        if (strcmp(s->holder[i], path) == 0)
            return true;
    }
    return false;
}

static bool carries(const struct owned_site *s, const ast_node *n)
{
    n = sema_strip(n);
    if (n->kind == AST_UNARY && n->op == OP_ADDR)
        n = sema_strip(n->kid[0]);
    for (uint32_t i = 0; n->kind == AST_IDENT && i < s->carrier_count; i++) {
        if (s->carrier[i] == n->ref)
            return true;
    }
    return false;
}

static void add_holder(struct owned_site *s, const char *path)
{
    if (path != NULL && s->holder_count < OWNED_HOLDERS)
        s->holder[s->holder_count++] = path;
}

static bool mentions(const struct owned *o, const struct owned_site *s, const ast_node *n)
{
    if (holds(o, s, n))
        return true;
    for (uint32_t i = 0; i < n->kid_count && n->kind != AST_CALL; i++) {
        if (n->kid[i] != NULL && mentions(o, s, n->kid[i]))
            return true;
    }
    return false;
}

static void add_carrier(struct owned_site *s, const ast_decl *d)
{
    for (uint32_t i = 0; i < s->carrier_count; i++) {
        if (s->carrier[i] == d)
            return;
    }
    if (d != NULL && s->carrier_count < OWNED_HOLDERS)
        s->carrier[s->carrier_count++] = d;
}

static void find_holders(const struct owned *o, struct owned_site *s, const ast_node *n)
{
    if (n->kind == AST_DECLARATOR && n->ref != NULL && n->kid_count != 0 &&
        n->kid[n->kid_count - 1] != NULL) {
        const ast_node *value = n->kid[n->kid_count - 1];
        if (holds(o, s, value) && n->ref->kind == DECL_VAR)
            add_holder(s, path_of_decl(o->v, n->ref));
        else if (value->kind == AST_INIT_LIST && mentions(o, s, value))
            add_carrier(s, n->ref);
    } else if (n->kind == AST_ASSIGN && n->op == OP_ASSIGN && holds(o, s, n->kid[1])) {
        const ast_node *left = sema_strip(n->kid[0]);
        const ast_decl *d = path_local_storage(o->v, left);
        if (d != NULL && left->kind == AST_IDENT)
            add_holder(s, path_of_decl(o->v, d));
        else if (d != NULL)
            add_carrier(s, d);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find_holders(o, s, n->kid[i]);
    }
}

/* ---- releases -------------------------------------------------------------------------------- */

/* A call that surely releases what one of its arguments holds. */
static bool releases(const struct owned *o, const struct owned_site *s, const ast_node *call)
{
    static const char *const strong[] = {"free",   "close",   "destroy", "unref",  "release",
                                         "delete", "dispose", "freep",   "closep", NULL};
    strview name = sema_callee_name(o->v->cx->sema, o->v->fn, call);
    for (uint32_t i = 0; i < sema_arg_count(call); i++) {
        const ast_node *arg = sema_strip(sema_arg(call, i));
        bool is_sure;
        if (holds(o, s, arg) && value_fate_of(o->v, call, i, &is_sure) == FATE_RELEASED &&
            (is_sure || name_tells(name, strong)))
            return true;
        if (arg->kind == AST_UNARY && arg->op == OP_ADDR && holds(o, s, arg->kid[0]) &&
            name_tells(name, strong))
            return true;
    }
    return false;
}

static const ast_node *find_release(const struct owned *o, const struct owned_site *s,
                                    const ast_node *n)
{
    if (n->kind == AST_CALL && releases(o, s, n))
        return n;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *found = n->kid[i] == NULL ? NULL : find_release(o, s, n->kid[i]);
        if (found != NULL)
            return found;
    }
    return NULL;
}

/* Is the place in the block of n, behind n? */
static bool is_behind(const ast_node *n, const ast_node *place)
{
    const ast_node *block = n->parent;
    while (block != NULL && block->kind != AST_COMPOUND)
        block = block->parent;
    return block != NULL && place->first >= n->last && place->first < block->last;
}

/* Will a defer, or a variable's clean-up, release it when the function is left from `await`? */
static bool is_protected(const struct owned *o, const struct owned_site *s, const ast_node *n,
                         const ast_node *await)
{
    if (n->kind == AST_DEFER && is_behind(n, await) &&
        (find_release(o, s, n) != NULL || mentions(o, s, n)))
        return true;
    if (n->kind == AST_DEFER && is_behind(n, await)) {
        const ast_node *body = n->kid[0];
        for (uint32_t i = 0; i < body->kid_count; i++) {
            const ast_node *e = body->kid[i]->kind == AST_EXPR_STMT ? body->kid[i]->kid[0] : NULL;
            for (uint32_t k = 1; e != NULL && e->kind == AST_CALL && k < e->kid_count; k++) {
                if (holds(o, s, e->kid[k]) || carries(s, e->kid[k]))
                    return true;
            }
        }
    }
    if (n->kind == AST_DECLARATOR && n->ref != NULL && n->ref->cleanup != NULL &&
        n->kid_count != 0 && n->kid[n->kid_count - 1] != NULL && is_behind(n, await) &&
        mentions(o, s, n->kid[n->kid_count - 1]))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && is_protected(o, s, n->kid[i], await))
            return true;
    }
    return false;
}

/* ---- flow ------------------------------------------------------------------------------------ */

/* Does the call end the function's ownership? */
static bool call_ends(const struct owned *o, const struct owned_site *s, const ast_node *call)
{
    for (uint32_t i = 0; i < sema_arg_count(call); i++) {
        const ast_node *arg = sema_strip(sema_arg(call, i));
        bool is_address = arg->kind == AST_UNARY && arg->op == OP_ADDR;
        bool is_carrier = carries(s, arg);
        if (form_starts_task(call) && (holds(o, s, arg) || is_carrier))
            return true;
        if (call == s->call)
            continue;
        if (is_address && holds(o, s, arg->kid[0])) {
            const sema_symbol *callee = sema_callee(o->v->cx->sema, o->v->fn, call);
            if (callee == NULL || !callee->is_system)
                return true;
        } else if ((holds(o, s, arg) || is_carrier) &&
                   value_fate_of(o->v, call, i, NULL) != FATE_USED) {
            return true;
        }
    }
    return false;
}

static bool assignment_ends(const struct owned *o, const struct owned_site *s, const ast_node *n)
{
    if (n->op != OP_ASSIGN)
        return false;
    if (holds(o, s, n->kid[0]))
        return !holds(o, s, n->kid[1]);
    return (holds(o, s, n->kid[1]) || carries(s, n->kid[1])) &&
           path_local_storage(o->v, n->kid[0]) == NULL;
}

static bool item_ends(const struct owned *o, const struct owned_site *s,
                      const struct tree_item *item)
{
    const ast_node *n = item->node;
    switch (item->kind) {
    case TREE_EXPR:
        return n->kind == AST_CALL ? call_ends(o, s, n)
               : n->kind == AST_ASSIGN
                   ? sema_strip(n->kid[1]) != s->at && sema_strip(n->kid[1]) != s->call &&
                         assignment_ends(o, s, n)
                   : false;
    case TREE_DECL: {
        const ast_node *value = n->kid_count == 0 ? NULL : n->kid[n->kid_count - 1];
        bool acquires =
            value != NULL && (sema_strip(value) == s->at || sema_strip(value) == s->call);
        return n->ref != NULL && !acquires && n->ref->kind == DECL_VAR &&
               path_is_within(s->holder[0], path_of_decl(o->v, n->ref));
    }
    case TREE_RETURN:
        return n->kid_count != 0 && n->kid[0] != NULL && mentions(o, s, n->kid[0]) &&
               sema_type(o->v->cx->sema, o->v->fn, n->kid[0])->cls != CTYPE_BOOL;
    case TREE_ASM:
    case TREE_CLEANUP:
    case TREE_SCOPE_END:
    case TREE_ITEM_KIND_COUNT:
        break;
    }
    return false;
}

/* Owned from here on, if the call succeeded, and its form came to the end. */
static void acquire(world_flow *f, const struct owned_site *s, struct worlds *w, uint64_t fact)
{
    const ast_node *form = form_of_call(s->call);
    if (form != NULL && form->op == FORM_TIMEOUT)
        worlds_split(f, w, form, SIGN_ZERO, fact);
    else
        worlds_set(w, fact);
    worlds_split(f, w, s->call, s->success, 0);
    for (uint32_t i = 0; i < w->count; i++) {
        if ((world_sign(f, &w->at[i], s->call) & s->success) == 0)
            w->at[i].facts &= ~fact;
    }
    if (form != NULL && s->target != NULL)
        worlds_give(f, w, s->target, s->call);
}

static void transfer(void *context, world_flow *f, const struct tree_item *item, struct worlds *w)
{
    const struct owned *o = context;
    uint64_t any = worlds_any(w);
    for (size_t i = 0; i < o->sites.count; i++) {
        const struct owned_site *s = &o->sites.at[i];
        if (((any >> i) & 1) && item_ends(o, s, item))
            worlds_clear(w, 1ULL << i);
        if (item->kind == TREE_EXPR && item->node == s->at)
            acquire(f, s, w, 1ULL << i);
    }
}

/* Where what is owned leaves the function: a return of it, a store for others. */
static void find_handovers(struct owned *o)
{
    const tree_cfg *g = world_flow_graph(o->flow);
    for (uint32_t b = 0; b < g->block_count; b++) {
        struct tree_flow_walk w = world_flow_walk(o->flow, b);
        while (tree_flow_next(&w)) {
            bool leaves = w.item->kind == TREE_RETURN ||
                          (w.item->kind == TREE_EXPR && w.item->node->kind == AST_ASSIGN &&
                           path_local_storage(o->v, w.item->node->kid[0]) == NULL);
            uint64_t alive = leaves ? worlds_any(w.state) : 0;
            for (size_t i = 0; alive != 0 && i < o->sites.count; i++) {
                struct owned_site *s = &o->sites.at[i];
                if (((alive >> i) & 1) && s->handover == NULL && item_ends(o, s, w.item))
                    s->handover = w.item->node;
            }
        }
    }
}

static void check_items(struct owned *o, void (*report)(rule_cx *cx, const struct owned_site *s,
                                                        const ast_node *await))
{
    rule_cx *cx = o->v->cx;
    const tree_cfg *g = world_flow_graph(o->flow);
    for (uint32_t b = 0; b < g->block_count; b++) {
        struct tree_flow_walk w = world_flow_walk(o->flow, b);
        while (tree_flow_next(&w)) {
            if (!suspends_at(cx, cx->fn, w.item))
                continue;
            uint64_t alive = worlds_any(w.state);
            for (size_t i = 0; i < o->sites.count; i++) {
                const struct owned_site *s = &o->sites.at[i];
                bool counts = ((alive >> i) & 1) && !o->reported[i] &&
                              (s->release != NULL || s->handover != NULL);
                if (!counts || is_protected(o, s, cx->fn->tree->root, w.item->node))
                    continue;
                o->reported[i] = true;
                for (size_t k = i + 1; k < o->sites.count; k++) /* pipe: one finding */
                    o->reported[k] = o->reported[k] || o->sites.at[k].call == s->call;
                report(cx, s, w.item->node);
            }
        }
    }
}

void owned_values_check(rule_cx *cx, void (*report)(rule_cx *cx, const struct owned_site *s,
                                                    const ast_node *await))
{
    if (!function_suspends(cx, cx->fn))
        return;
    const ast_node *root = cx->fn->tree->root;
    struct owned o = {.v = fn_view_new(cx, cx->fn)};
    find_sites(&o, root);
    if (o.sites.count == 0)
        return;
    o.reported = ARENA_ARRAY(cx->mem, bool, o.sites.count + 1);
    o.flow = world_flow_new(o.v, transfer, &o);
    for (size_t i = 0; i < o.sites.count; i++) {
        struct owned_site *s = &o.sites.at[i];
        find_holders(&o, s, root);
        s->release = find_release(&o, s, root);
        if (s->success != SIGN_ANY)
            world_flow_track(o.flow, s->call);
        if (form_of_call(s->call) != NULL)
            world_flow_track(o.flow, form_of_call(s->call));
    }
    if (!world_flow_solve(o.flow))
        return;
    find_handovers(&o);
    check_items(&o, report);
}
