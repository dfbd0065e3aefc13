/* SPDX-License-Identifier: MIT */
/*
 * Which thread locks are held at each call, on every way that leads there? A forward analysis over
 * sets of lock keys, met by intersection: a lock that only one branch takes is not held behind it.
 * A function without calls that take locks costs nothing.
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

static void transfer(void *context, const struct tree_item *item, bitset *held)
{
    const struct locks *l = context;
    if (item->kind != TREE_EXPR || item->node->kind != AST_CALL)
        return;
    for (size_t i = 0; i < l->calls.count; i++) {
        if (l->calls.at[i].call != item->node)
            continue;
        if (l->calls.at[i].action == LOCK_TAKE)
            bitset_add(held, l->calls.at[i].key);
        else if (l->calls.at[i].action == LOCK_RELEASE)
            bitset_remove(held, l->calls.at[i].key);
    }
}

static bool is_noreturn(void *context, const ast_node *call)
{
    const struct locks *l = context;
    return sema_call_is_noreturn(l->c->sema, l->c->fn, call);
}

static void note_held(struct locks *l, const ast_node *call, const bitset *held)
{
    struct collect *c = l->c;
    for (size_t i = 0; i < c->calls.count; i++) {
        if (c->calls.at[i] != call)
            continue;
        BITSET_FOR_EACH (k, held) {
            VEC_PUSH(c->mem, &c->function->calls.at[i].held, l->keys.at[k]);
        }
        return;
    }
}

void collect_locks(struct collect *c)
{
    struct locks l = {.c = c};
    find_lock_calls(&l);
    if (l.calls.count == 0)
        return;
    struct tree_cfg_hooks hooks = {.is_noreturn = is_noreturn, .context = &l};
    const tree_cfg *g = tree_cfg_build(c->mem, c->fn->tree, &hooks);
    struct tree_sets sets = {.direction = TREE_FORWARDS,
                             .meet = TREE_INTERSECTION,
                             .capacity = (uint32_t)l.keys.count,
                             .transfer = transfer,
                             .context = &l};
    tree_flow *flow = tree_flow_solve_sets(c->mem, g, &sets);
    for (uint32_t b = 0; flow->is_complete && b < g->block_count; b++) {
        struct tree_flow_walk w = tree_flow_walk(flow, b);
        while (tree_flow_next(&w)) {
            bool is_first = tree_cfg_find(g, w.item->node) == w.index;
            if (w.item->kind == TREE_EXPR && w.item->node->kind == AST_CALL && is_first)
                note_held(&l, w.item->node, w.state);
        }
    }
}
