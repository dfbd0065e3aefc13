/* SPDX-License-Identifier: MIT */
/*
 * In which order do the blocks of a tree_cfg come, what dominates what, and which conditions decide
 * about a block? Reverse post-order by a depth-first walk with a stack of its own; dominators by
 * Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001); control dependence by
 * Ferrante, Ottenstein and Warren (1987), asked for one block at a time.
 *
 * Post-dominators are dominators against the flow, from a root behind the exit. Where an endless
 * loop never comes to the exit, one of its blocks hangs on the root instead (tree_cfg.endless).
 */
#include "analyzer/flow/tree_cfg_internal.h"

/* One direction of the graph, for both walks. Nodes are blocks and, against the flow, the root. */
struct view {
    const tree_cfg *g;
    bool is_reversed;
    uint32_t node_count, root;
    uint32_t *order, *rank; /* in reverse post-order of this direction */
    uint32_t count;         /* of order */
};

static uint32_t edge_count_from(const struct view *v, uint32_t node)
{
    const struct tree_block *b = &v->g->blocks[node];
    return v->is_reversed ? b->pred_count : b->succ_count;
}

static uint32_t target(const struct view *v, uint32_t node, uint32_t i)
{
    const tree_cfg *g = v->g;
    const struct tree_block *b = &g->blocks[node];
    return v->is_reversed ? g->edges[g->preds[b->first_pred + i]].from
                          : g->edges[b->first_succ + i].to;
}

/* ---- order ---------------------------------------------------------------------------------- */

struct visit {
    uint32_t node, next;
};

/* Room for the walks of one view. */
struct walk {
    struct view *v;
    struct visit *stack;
    uint32_t *post;
    bool *seen;
};

static bool is_open(const struct walk *w, uint32_t node)
{
    return !w->seen[node] && (!w->v->is_reversed || tree_cfg_is_reachable(w->v->g, node));
}

static void walk_from(struct walk *w, uint32_t start)
{
    uint32_t depth = 0;
    w->stack[depth++] = (struct visit){start, 0};
    w->seen[start] = true;
    while (depth != 0) {
        struct visit *top = &w->stack[depth - 1];
        if (top->next == edge_count_from(w->v, top->node)) {
            w->post[w->v->count++] = top->node;
            depth--;
            continue;
        }
        uint32_t to = target(w->v, top->node, top->next++);
        if (is_open(w, to)) {
            w->seen[to] = true;
            w->stack[depth++] = (struct visit){to, 0};
        }
    }
}

static struct walk walk_new(arena *mem, struct view *v)
{
    v->order = ARENA_ARRAY(mem, uint32_t, v->node_count);
    v->rank = ARENA_ARRAY(mem, uint32_t, v->node_count);
    return (struct walk){v, ARENA_ARRAY(mem, struct visit, v->node_count),
                         ARENA_ARRAY(mem, uint32_t, v->node_count),
                         ARENA_ARRAY(mem, bool, v->node_count)};
}

static void walk_finish(const struct walk *w)
{
    struct view *v = w->v;
    for (uint32_t i = 0; i < v->node_count; i++)
        v->rank[i] = TREE_NONE;
    for (uint32_t i = 0; i < v->count; i++) {
        v->order[i] = w->post[v->count - 1 - i];
        v->rank[v->order[i]] = i;
    }
}

static void order_forwards(arena *mem, tree_cfg *g, struct view *v)
{
    *v = (struct view){.g = g, .node_count = g->block_count};
    struct walk w = walk_new(mem, v);
    walk_from(&w, 0);
    walk_finish(&w);
    g->order = v->order;
    g->reachable_count = v->count;
    for (uint32_t i = 0; i < g->block_count; i++)
        g->blocks[i].rank = v->rank[i];
    for (uint32_t i = 0; i < g->edge_count; i++) {
        struct tree_edge *e = &g->edges[i];
        e->is_back = tree_cfg_is_reachable(g, e->from) && v->rank[e->to] <= v->rank[e->from];
    }
}

/* The exit, then endless loops from the last one on, so that one block stands for each. */
static void order_backwards(arena *mem, tree_cfg *g, struct view *v)
{
    *v = (struct view){
        .g = g, .is_reversed = true, .node_count = g->block_count + 1, .root = g->block_count};
    struct walk w = walk_new(mem, v);
    VEC(uint32_t) endless = {0};
    if (tree_cfg_is_reachable(g, g->exit))
        walk_from(&w, g->exit);
    for (uint32_t i = g->reachable_count; i-- > 0;) {
        if (w.seen[g->order[i]])
            continue;
        VEC_PUSH(mem, &endless, g->order[i]);
        walk_from(&w, g->order[i]);
    }
    w.post[v->count++] = v->root;
    walk_finish(&w);
    g->endless = endless.at;
    g->endless_count = (uint32_t)endless.count;
}

/* ---- dominators ----------------------------------------------------------------------------- */

static uint32_t common(const struct view *v, const uint32_t *idom, uint32_t a, uint32_t b)
{
    if (a == TREE_NONE)
        return b;
    while (a != b) {
        if (v->rank[a] > v->rank[b])
            a = idom[a];
        else
            b = idom[b];
    }
    return a;
}

/* Where ways of this direction come from; the last ones first, whose dominators are nearest. */
static uint32_t idom_of(const struct view *v, const uint32_t *idom, const bool *hangs_on_root,
                        uint32_t node)
{
    const struct view back = {.g = v->g, .is_reversed = !v->is_reversed};
    uint32_t found = hangs_on_root[node] ? v->root : TREE_NONE;
    if (found != TREE_NONE)
        return found;
    for (uint32_t i = edge_count_from(&back, node); i-- > 0;) {
        uint32_t from = target(&back, node, i);
        if (v->rank[from] != TREE_NONE && idom[from] != TREE_NONE)
            found = common(v, idom, found, from);
    }
    return found;
}

static uint32_t *find_dominators(arena *mem, const struct view *v, const bool *hangs_on_root)
{
    uint32_t *idom = ARENA_ARRAY(mem, uint32_t, v->node_count);
    for (uint32_t i = 0; i < v->node_count; i++)
        idom[i] = TREE_NONE;
    idom[v->root] = v->root;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < v->count; i++) {
            uint32_t node = v->order[i];
            uint32_t now = idom_of(v, idom, hangs_on_root, node);
            changed |= now != idom[node];
            idom[node] = now;
        }
    }
    return idom;
}

/* Numbers the tree of dominators, so that a subtree is an interval. */
static struct tree_interval *number_tree(arena *mem, const struct view *v, const uint32_t *idom)
{
    struct tree_interval *tree = ARENA_ARRAY(mem, struct tree_interval, v->node_count);
    uint32_t *size = ARENA_ARRAY(mem, uint32_t, v->node_count);
    uint32_t *next = ARENA_ARRAY(mem, uint32_t, v->node_count);
    for (uint32_t i = 0; i < v->node_count; i++)
        tree[i] = (struct tree_interval){TREE_NONE, 0};
    for (uint32_t i = v->count; i-- > 1;) {
        uint32_t node = v->order[i];
        size[idom[node]] += ++size[node];
    }
    tree[v->root] = (struct tree_interval){0, size[v->root] + 1};
    next[v->root] = 1;
    for (uint32_t i = 1; i < v->count; i++) {
        uint32_t node = v->order[i], first = next[idom[node]];
        next[idom[node]] += size[node];
        tree[node] = (struct tree_interval){first, first + size[node]};
        next[node] = first + 1;
    }
    return tree;
}

void tree_cfg_order(arena *mem, tree_cfg *g)
{
    struct view forwards, backwards;
    order_forwards(mem, g, &forwards);
    order_backwards(mem, g, &backwards);
    bool *hangs_on_root = ARENA_ARRAY(mem, bool, g->block_count + 1);
    uint32_t *idom = find_dominators(mem, &forwards, hangs_on_root);
    hangs_on_root[g->exit] = true;
    for (uint32_t i = 0; i < g->endless_count; i++)
        hangs_on_root[g->endless[i]] = true;
    uint32_t *ipdom = find_dominators(mem, &backwards, hangs_on_root);
    g->dominated = number_tree(mem, &forwards, idom);
    g->post_dominated = number_tree(mem, &backwards, ipdom);
    for (uint32_t i = 0; i < g->block_count; i++) {
        g->blocks[i].idom = i == 0 ? TREE_NONE : idom[i];
        g->blocks[i].ipdom = ipdom[i] == backwards.root ? TREE_NONE : ipdom[i];
    }
}

/* ---- questions ------------------------------------------------------------------------------ */

static bool is_within(const struct tree_interval *tree, uint32_t above, uint32_t below)
{
    return tree[above].first <= tree[below].first && tree[below].first < tree[above].end;
}

bool tree_cfg_dominates(const tree_cfg *g, uint32_t above, uint32_t below)
{
    return is_within(g->dominated, above, below);
}

bool tree_cfg_post_dominates(const tree_cfg *g, uint32_t after, uint32_t before)
{
    return is_within(g->post_dominated, after, before);
}

bool tree_cfg_item_dominates(const tree_cfg *g, uint32_t above, uint32_t below)
{
    uint32_t a = g->items[above].block, b = g->items[below].block;
    return a == b ? tree_cfg_is_reachable(g, a) && above <= below : tree_cfg_dominates(g, a, b);
}

bool tree_cfg_item_post_dominates(const tree_cfg *g, uint32_t after, uint32_t before)
{
    uint32_t a = g->items[after].block, b = g->items[before].block;
    return a == b ? tree_cfg_is_reachable(g, a) && after >= before
                  : tree_cfg_post_dominates(g, a, b);
}

/* ---- control dependence --------------------------------------------------------------------- */

static bool decides(const tree_cfg *g, const struct tree_edge *e, uint32_t block)
{
    return g->blocks[e->from].succ_count > 1 && tree_cfg_is_reachable(g, e->from) &&
           tree_cfg_post_dominates(g, block, e->to) &&
           (block == e->from || !tree_cfg_post_dominates(g, block, e->from));
}

struct tree_edge_list tree_cfg_controls(arena *mem, const tree_cfg *g, uint32_t block,
                                        bool is_transitive)
{
    VEC(uint32_t) found = {0}, blocks = {0};
    bool *is_found = ARENA_ARRAY(mem, bool, g->edge_count);
    bool *is_asked = ARENA_ARRAY(mem, bool, g->block_count);
    VEC_PUSH(mem, &blocks, block);
    is_asked[block] = true;
    for (size_t next = 0; next < blocks.count; next++) {
        for (uint32_t i = 0; i < g->edge_count; i++) {
            uint32_t from = g->edges[i].from;
            if (is_found[i] || !decides(g, &g->edges[i], blocks.at[next]))
                continue;
            is_found[i] = true;
            if (is_transitive && !is_asked[from])
                VEC_PUSH(mem, &blocks, from);
            is_asked[from] |= is_transitive;
        }
    }
    for (uint32_t i = 0; i < g->edge_count; i++) {
        if (is_found[i])
            VEC_PUSH(mem, &found, i);
    }
    return (struct tree_edge_list){found.at, (uint32_t)found.count};
}
