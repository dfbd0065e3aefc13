/* SPDX-License-Identifier: MIT */
/*
 * Which thread locks are held at each call, on every way that leads there, and behind which calls
 * does the program end? Locks: a forward analysis over sets of lock keys, met by intersection, so a
 * lock that only one branch takes is not held behind it. Ends: blocks from which only calls that do
 * not return are reached. A function without such calls costs nothing.
 */
#include "analyzer/program/collect_private.h"

#include "analyzer/flow/tree_flow.h"
#include "analyzer/program/known_locks.h"

struct lock_call {
    const ast_node *call;
    enum lock_action action;
    uint32_t key; /* index into keys */
};

struct locks {
    struct collect *c;
    VEC(const char *) keys;
    VEC(struct lock_call) calls;
};

static uint32_t key_index(struct locks *l, const char *key)
{
    for (size_t i = 0; i < l->keys.count; i++) {
        if (strcmp(l->keys.at[i], key) == 0)
            return (uint32_t)i;
    }
    VEC_PUSH(l->c->mem, &l->keys, key);
    return (uint32_t)l->keys.count - 1;
}

static void find_lock_calls(struct locks *l)
{
    const struct collect *c = l->c;
    for (size_t i = 0; i < c->calls.count; i++) {
        const struct fact_call *f = &c->function->calls.at[i];
        const struct known_lock *row = f->callee_kind == CALLEE_NAME
                                           ? known_lock_find(c->settings->known, sv_from(f->callee))
                                           : NULL;
        if (row == NULL || row->kind == LOCK_ASYNC)
            continue;
        size_t arg = row->lock.kind == PLACE_NONE ? f->args.count : (size_t)row->lock.arg;
        const struct value *v = arg < f->args.count ? &f->args.at[arg] : NULL;
        const char *key = v != NULL && v->key != NULL ? v->key : f->callee;
        struct lock_call lock = {c->calls.at[i], row->action, key_index(l, key)};
        VEC_PUSH(c->mem, &l->calls, lock);
    }
}

/* Puts what calls of the action `adds` name into the set, and takes out what `removes` names. */
static void follow_locks(const struct locks *l, const struct tree_item *item, bitset *set,
                         enum lock_action adds, enum lock_action removes)
{
    if (item->kind != TREE_EXPR || item->node->kind != AST_CALL)
        return;
    for (size_t i = 0; i < l->calls.count; i++) {
        if (l->calls.at[i].call != item->node)
            continue;
        if (l->calls.at[i].action == adds)
            bitset_add(set, l->calls.at[i].key);
        else if (l->calls.at[i].action == removes)
            bitset_remove(set, l->calls.at[i].key);
    }
}

static void transfer(void *context, const struct tree_item *item, bitset *held)
{
    follow_locks(context, item, held, LOCK_TAKE, LOCK_RELEASE);
}

/* The other way round: what the function gave back and has not taken again. */
static void transfer_released(void *context, const struct tree_item *item, bitset *released)
{
    follow_locks(context, item, released, LOCK_RELEASE, LOCK_TAKE);
}

static bool is_noreturn(void *context, const ast_node *call)
{
    const struct locks *l = context;
    return sema_call_is_noreturn(l->c->sema, l->c->fn, call);
}

/* ---- calls behind which all ends ------------------------------------------------------------- */

/* Can the function still return from this block, or go on for ever? */
static bitset returning_blocks(arena *mem, const tree_cfg *g)
{
    bitset returning = bitset_new(mem, g->block_count);
    bitset_add(&returning, g->exit);
    for (uint32_t i = 0; i < g->endless_count; i++)
        bitset_add(&returning, g->endless[i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = g->edge_count; i-- > 0;) {
            const struct tree_edge *e = &g->edges[i];
            bool leads = e->kind != TREE_NORETURN && bitset_has(&returning, e->to) &&
                         !bitset_has(&returning, e->from);
            if (leads)
                bitset_add(&returning, e->from);
            changed |= leads;
        }
    }
    return returning;
}

static void note_last(struct collect *c, const tree_cfg *g)
{
    bitset returning = returning_blocks(c->mem, g);
    for (size_t i = 0; i < c->calls.count; i++) {
        uint32_t item = tree_cfg_find(g, c->calls.at[i]);
        c->function->calls.at[i].is_last =
            item != TREE_NONE && !bitset_has(&returning, g->items[item].block);
    }
}

static bool has_noreturn(const struct collect *c)
{
    for (size_t i = 0; i < c->calls.count; i++) {
        if (sema_call_is_noreturn(c->sema, c->fn, c->calls.at[i]))
            return true;
    }
    return false;
}

/* ---- the analysis ---------------------------------------------------------------------------- */

static void note_keys(struct locks *l, const ast_node *call, const bitset *keys, bool is_released)
{
    struct collect *c = l->c;
    for (size_t i = 0; i < c->calls.count; i++) {
        struct fact_call *fact = &c->function->calls.at[i];
        if (c->calls.at[i] != call)
            continue;
        BITSET_FOR_EACH (k, keys) {
            if (is_released)
                VEC_PUSH(c->mem, &fact->released, l->keys.at[k]);
            else
                VEC_PUSH(c->mem, &fact->held, l->keys.at[k]);
        }
        return;
    }
}

/* Held: on every way. Released: on any. */
static void solve_locks(struct locks *l, const tree_cfg *g, bool is_released)
{
    struct tree_sets sets = {.direction = TREE_FORWARDS,
                             .meet = is_released ? TREE_UNION : TREE_INTERSECTION,
                             .capacity = (uint32_t)l->keys.count,
                             .transfer = is_released ? transfer_released : transfer,
                             .context = l};
    tree_flow *flow = tree_flow_solve_sets(l->c->mem, g, &sets);
    for (uint32_t b = 0; flow->is_complete && b < g->block_count; b++) {
        struct tree_flow_walk w = tree_flow_walk(flow, b);
        while (tree_flow_next(&w)) {
            bool is_first = tree_cfg_find(g, w.item->node) == w.index;
            if (w.item->kind == TREE_EXPR && w.item->node->kind == AST_CALL && is_first)
                note_keys(l, w.item->node, w.state, is_released);
        }
    }
}

void collect_ways(struct collect *c)
{
    struct locks l = {.c = c};
    find_lock_calls(&l);
    bool ends = has_noreturn(c);
    if (l.calls.count == 0 && !ends)
        return;
    struct tree_cfg_hooks hooks = {.is_noreturn = is_noreturn, .context = &l};
    const tree_cfg *g = tree_cfg_build(c->mem, c->fn->tree, &hooks);
    if (ends)
        note_last(c, g);
    for (int released = 0; l.calls.count != 0 && released <= 1; released++)
        solve_locks(&l, g, released != 0);
}
