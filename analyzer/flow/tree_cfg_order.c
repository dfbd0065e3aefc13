/* SPDX-License-Identifier: MIT */
/*
 * In which order do the blocks of a tree_cfg come, what dominates what, and which conditions decide
 * about a block? Reverse post-order by a depth-first walk with a stack of its own; dominators by
 * the SEMI-NCA algorithm (Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems",
 * 2005), since simpler ones are quadratic for long rows of gotos back; control dependence by
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
    uint32_t *found;        /* in the order of discovery ... */
    uint32_t *number;       /* ... [node]: its place there; TREE_NONE */
    uint32_t *parent;       /* [place]: the place from which it was discovered */
    uint32_t found_count;
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
};

static bool is_open(const struct walk *w, uint32_t node)
{
    return w->v->number[node] == TREE_NONE &&
           (!w->v->is_reversed || tree_cfg_is_reachable(w->v->g, node));
}

static void discover(const struct walk *w, uint32_t node, uint32_t parent)
{
    struct view *v = w->v;
    v->parent[v->found_count] = parent;
    v->number[node] = v->found_count;
    v->found[v->found_count++] = node;
}

static void walk_from(struct walk *w, uint32_t start)
{
    uint32_t depth = 0;
    w->stack[depth++] = (struct visit){start, 0};
    discover(w, start, 0);
    while (depth != 0) {
        struct visit *top = &w->stack[depth - 1];
        if (top->next == edge_count_from(w->v, top->node)) {
            w->post[w->v->count++] = top->node;
            depth--;
            continue;
        }
        uint32_t to = target(w->v, top->node, top->next++);
        if (is_open(w, to)) {
            discover(w, to, w->v->number[top->node]);
            w->stack[depth++] = (struct visit){to, 0};
        }
    }
}

static struct walk walk_new(arena *mem, struct view *v)
{
    v->order = ARENA_ARRAY(mem, uint32_t, v->node_count);
    v->rank = ARENA_ARRAY(mem, uint32_t, v->node_count);
    v->found = ARENA_ARRAY(mem, uint32_t, v->node_count);
    v->number = ARENA_ARRAY(mem, uint32_t, v->node_count);
    v->parent = ARENA_ARRAY(mem, uint32_t, v->node_count);
    for (uint32_t i = 0; i < v->node_count; i++)
        v->number[i] = TREE_NONE;
    return (struct walk){v, ARENA_ARRAY(mem, struct visit, v->node_count),
                         ARENA_ARRAY(mem, uint32_t, v->node_count)};
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
    discover(&w, v->root, 0);
    if (tree_cfg_is_reachable(g, g->exit))
        walk_from(&w, g->exit);
    for (uint32_t i = g->reachable_count; i-- > 0;) {
        if (v->number[g->order[i]] != TREE_NONE)
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

/* All arrays are by place in the order of discovery. */
struct semi_nca {
    const struct view *v;
    uint32_t *semi;  /* the semidominator, once its node was handled; itself before */
    uint32_t *above; /* an ancestor in the walk's tree; paths are made shorter as they are used */
    uint32_t *best;  /* of those that `above` has stepped over, the one of least semi */
    uint32_t *idom;
    uint32_t *path; /* scratch */
};

/* Among the handled ancestors of `at`, itself one or not: the one of least semi. */
static uint32_t best_above(struct semi_nca *s, uint32_t at, uint32_t first_handled)
{
    uint32_t depth = 0;
    for (; s->above[at] >= first_handled; at = s->above[at])
        s->path[depth++] = at;
    uint32_t best = s->best[at], top = s->above[at];
    while (depth != 0) {
        at = s->path[--depth];
        s->above[at] = top;
        if (s->semi[best] < s->semi[s->best[at]])
            s->best[at] = best;
        best = s->best[at];
    }
    return best;
}

static void find_semi(struct semi_nca *s, uint32_t at)
{
    const struct view back = {.g = s->v->g, .is_reversed = !s->v->is_reversed};
    uint32_t node = s->v->found[at], least = s->v->parent[at];
    uint32_t edges = edge_count_from(&back, node);
    for (uint32_t i = 0; i < edges; i++) {
        uint32_t from = s->v->number[target(&back, node, i)];
        if (from == TREE_NONE)
            continue;
        uint32_t semi = s->semi[best_above(s, from, at + 1)];
        least = semi < least ? semi : least;
    }
    s->semi[at] = least;
}

/* [node]: its immediate dominator in this direction; of the root itself; TREE_NONE. */
static uint32_t *find_dominators(arena *mem, const struct view *v)
{
    struct semi_nca s = {v,
                         ARENA_ARRAY(mem, uint32_t, v->node_count),
                         ARENA_ARRAY(mem, uint32_t, v->node_count),
                         ARENA_ARRAY(mem, uint32_t, v->node_count),
                         ARENA_ARRAY(mem, uint32_t, v->node_count),
                         ARENA_ARRAY(mem, uint32_t, v->node_count)};
    uint32_t *idom = ARENA_ARRAY(mem, uint32_t, v->node_count);
    for (uint32_t i = 0; i < v->node_count; i++)
        idom[i] = TREE_NONE;
    for (uint32_t i = 0; i < v->found_count; i++) {
        s.semi[i] = s.best[i] = i;
        s.above[i] = s.idom[i] = v->parent[i];
    }
    for (uint32_t i = v->found_count; i-- > 1;)
        find_semi(&s, i);
    for (uint32_t i = 0; i < v->found_count; i++) {
        while (s.idom[i] > s.semi[i])
            s.idom[i] = s.idom[s.idom[i]];
        idom[v->found[i]] = v->found[s.idom[i]];
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
    uint32_t *idom = find_dominators(mem, &forwards);
    uint32_t *ipdom = find_dominators(mem, &backwards);
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
