/* SPDX-License-Identifier: MIT */
/*
 * The solver of tree_flow.h. Sweeps over the blocks in reverse post-order (backwards: post-order)
 * and visits those whose input changed since their last visit, until none is left. A visit carries
 * the block's state through its items and joins it into what lies behind its edges.
 */
#include "analyzer/flow/tree_flow.h"

/* Monotone analyses need about as many visits as loops are nested; this many, only wrong ones. */
enum { MAX_VISITS = 5000 };

struct solver {
    tree_flow *flow;
    void *state; /* of the visit under way */
    void *along; /* the same behind an edge */
    bool *dirty; /* [block] */
    bool any_dirty;
    uint32_t *visits; /* [block] */
};

static void *new_state(arena *mem, const struct tree_states *rules)
{
    void *state = arena_alloc(mem, rules->bytes);
    if (rules->prepare != NULL)
        rules->prepare(rules->context, mem, state);
    return state;
}

static void mark_dirty(struct solver *s, uint32_t block)
{
    s->dirty[block] = true;
    s->any_dirty = true;
}

/* ---- solving -------------------------------------------------------------------------------- */

static void flow_to(struct solver *s, uint32_t block, const void *state)
{
    const struct tree_states *rules = &s->flow->rules;
    void **input = &s->flow->input[block];
    bool changed = true;
    if (*input == NULL) {
        *input = new_state(s->flow->mem, rules);
        rules->copy(rules->context, *input, state);
    } else {
        changed = rules->join(rules->context, *input, state);
    }
    if (changed)
        mark_dirty(s, block);
}

static void flow_along(struct solver *s, const struct tree_edge *e)
{
    const struct tree_states *rules = &s->flow->rules;
    uint32_t to = rules->direction == TREE_FORWARDS ? e->to : e->from;
    if (!tree_cfg_is_reachable(s->flow->graph, to))
        return;
    if (rules->edge == NULL) {
        flow_to(s, to, s->state);
        return;
    }
    rules->copy(rules->context, s->along, s->state);
    if (rules->edge(rules->context, e, s->along))
        flow_to(s, to, s->along);
}

static void visit(struct solver *s, uint32_t block)
{
    const tree_cfg *g = s->flow->graph;
    const struct tree_states *rules = &s->flow->rules;
    const struct tree_block *b = &g->blocks[block];
    bool forwards = rules->direction == TREE_FORWARDS;
    rules->copy(rules->context, s->state, s->flow->input[block]);
    for (uint32_t i = 0; i < b->item_count; i++) {
        uint32_t item = b->first_item + (forwards ? i : b->item_count - 1 - i);
        rules->transfer(rules->context, &g->items[item], s->state);
    }
    uint32_t edges = forwards ? b->succ_count : b->pred_count;
    for (uint32_t i = 0; i < edges; i++)
        flow_along(s, &g->edges[forwards ? b->first_succ + i : g->preds[b->first_pred + i]]);
}

static void sweep(struct solver *s)
{
    const tree_cfg *g = s->flow->graph;
    bool forwards = s->flow->rules.direction == TREE_FORWARDS;
    for (uint32_t i = 0; i < g->reachable_count; i++) {
        uint32_t block = g->order[forwards ? i : g->reachable_count - 1 - i];
        if (!s->dirty[block])
            continue;
        s->dirty[block] = false;
        if (++s->visits[block] > MAX_VISITS)
            s->flow->is_complete = false;
        else
            visit(s, block);
    }
}

static void seed(struct solver *s, uint32_t block, void (*set)(void *context, void *state))
{
    tree_flow *flow = s->flow;
    if (!tree_cfg_is_reachable(flow->graph, block))
        return;
    flow->input[block] = new_state(flow->mem, &flow->rules);
    if (set != NULL)
        set(flow->rules.context, flow->input[block]);
    mark_dirty(s, block);
}

tree_flow *tree_flow_solve(arena *mem, const tree_cfg *g, const struct tree_states *rules)
{
    tree_flow *flow = ARENA_NEW(mem, tree_flow);
    *flow = (tree_flow){.graph = g, .rules = *rules, .is_complete = true, .mem = mem};
    flow->input = ARENA_ARRAY(mem, void *, g->block_count);
    struct solver s = {.flow = flow};
    s.state = new_state(mem, rules);
    s.along = new_state(mem, rules);
    s.dirty = ARENA_ARRAY(mem, bool, g->block_count);
    s.visits = ARENA_ARRAY(mem, uint32_t, g->block_count);
    seed(&s, rules->direction == TREE_FORWARDS ? 0 : g->exit, rules->boundary);
    for (uint32_t i = 0; rules->direction == TREE_BACKWARDS && i < g->endless_count; i++)
        seed(&s, g->endless[i], rules->endless);
    while (s.any_dirty && flow->is_complete) {
        s.any_dirty = false;
        sweep(&s);
    }
    return flow;
}

/* ---- sets ----------------------------------------------------------------------------------- */

static void set_prepare(void *context, arena *mem, void *state)
{
    const struct tree_sets *sets = context;
    *(bitset *)state = bitset_new(mem, sets->capacity);
}

static void set_boundary(void *context, void *state)
{
    const struct tree_sets *sets = context;
    if (sets->boundary != NULL)
        bitset_copy(state, sets->boundary);
}

/* Nothing was left out on any way to the exit, as there is none. */
static void set_endless(void *context, void *state)
{
    const struct tree_sets *sets = context;
    for (uint32_t i = 0; sets->meet == TREE_INTERSECTION && i < sets->capacity; i++)
        bitset_add(state, i);
}

static void set_copy(void *context, void *to, const void *from)
{
    (void)context;
    bitset_copy(to, from);
}

static bool intersect(bitset *to, const bitset *from)
{
    bool changed = false;
    for (uint32_t i = 0; i < to->word_count; i++) {
        uint64_t both = to->words[i] & from->words[i];
        changed |= both != to->words[i];
        to->words[i] = both;
    }
    return changed;
}

static bool set_join(void *context, void *to, const void *from)
{
    const struct tree_sets *sets = context;
    return sets->meet == TREE_UNION ? bitset_union(to, from) : intersect(to, from);
}

static void set_transfer(void *context, const struct tree_item *item, void *state)
{
    const struct tree_sets *sets = context;
    sets->transfer(sets->context, item, state);
}

static bool set_edge(void *context, const struct tree_edge *edge, void *state)
{
    const struct tree_sets *sets = context;
    return sets->edge(sets->context, edge, state);
}

tree_flow *tree_flow_solve_sets(arena *mem, const tree_cfg *g, const struct tree_sets *sets)
{
    struct tree_states rules = {.bytes = sizeof(bitset),
                                .direction = sets->direction,
                                .prepare = set_prepare,
                                .boundary = set_boundary,
                                .endless = set_endless,
                                .copy = set_copy,
                                .join = set_join,
                                .transfer = set_transfer,
                                .edge = sets->edge != NULL ? set_edge : NULL};
    rules.context = arena_copy(mem, sets, sizeof *sets);
    return tree_flow_solve(mem, g, &rules);
}

/* ---- the result ----------------------------------------------------------------------------- */

struct tree_flow_walk tree_flow_walk(tree_flow *flow, uint32_t block)
{
    struct tree_flow_walk w = {.flow = flow, .block = block, .index = TREE_NONE};
    const struct tree_states *rules = &flow->rules;
    if (flow->input[block] == NULL)
        return w;
    w.left = flow->graph->blocks[block].item_count;
    w.state = flow->spare != NULL ? flow->spare : new_state(flow->mem, rules);
    flow->spare = NULL;
    rules->copy(rules->context, w.state, flow->input[block]);
    return w;
}

bool tree_flow_next(struct tree_flow_walk *w)
{
    if (w->state == NULL)
        return false;
    const tree_cfg *g = w->flow->graph;
    const struct tree_states *rules = &w->flow->rules;
    const struct tree_block *b = &g->blocks[w->block];
    if (w->item != NULL)
        rules->transfer(rules->context, w->item, w->state);
    if (w->left == 0) {
        w->item = NULL;
        w->flow->spare = w->state;
        return false;
    }
    bool forwards = rules->direction == TREE_FORWARDS;
    w->index = b->first_item + (forwards ? b->item_count - w->left : w->left - 1);
    w->item = &g->items[w->index];
    w->left--;
    return true;
}

void *tree_flow_at(arena *mem, tree_flow *flow, uint32_t item)
{
    struct tree_flow_walk w = tree_flow_walk(flow, flow->graph->items[item].block);
    while (tree_flow_next(&w) && w.index != item)
        continue;
    if (w.state == NULL)
        return NULL;
    void *state = new_state(mem, &flow->rules);
    flow->rules.copy(flow->rules.context, state, w.state);
    flow->spare = w.state;
    return state;
}
