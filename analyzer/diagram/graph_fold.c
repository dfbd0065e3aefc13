/* SPDX-License-Identifier: MIT */
/*
 * A summary cuts the states into runs of equal length, and anew where the outermost loop or switch
 * around them changes while the run is at least half as long, so that its number of nodes is
 * bounded. A part shows its neighbours by name; where they are many, as those of a large switch,
 * they are two runs: what comes before the part, and what comes after.
 */
#include "analyzer/diagram/graph_fold.h"

enum { SUMMARY_NODES = 24, MANY_NEIGHBOURS = 12 };

static bool is_inner(const struct state_node *n)
{
    if (n->kind == NODE_STATE && n->state == NULL)
        return false; /* remembered from an older version: stands alone */
    return n->kind == NODE_STATE || n->kind == NODE_LOOP || n->kind == NODE_SWITCH;
}

static uint32_t outermost_scope(const machine *m, uint32_t scope)
{
    while (scope != AIR_NONE && m->scopes[scope].parent != AIR_NONE)
        scope = m->scopes[scope].parent;
    return scope;
}

static uint32_t push_node(const state_graph *g, graph_fold *f, enum fold_kind kind, uint32_t node)
{
    VEC_PUSH(g->mem, &f->nodes, (struct fold_node){.kind = kind, .node = node});
    return (uint32_t)f->nodes.count - 1;
}

/* Ends that no shown edge leads to are not shown. */
static bool is_linked(const graph_set *set, const state_graph *g, uint32_t node)
{
    if (g->nodes.at[node].kind < NODE_RETURNED)
        return true;
    for (size_t i = 0; i < g->edges.count; i++) {
        if (g->edges.at[i].to == node && (set->show_cancel || !g->edges.at[i].is_cancel))
            return true;
    }
    return false;
}

static void add_to_run(struct fold_node *run, const struct state_node *n)
{
    run->count++;
    run->last_state = n->number;
    run->first_state = run->first_state == 0 ? n->number : run->first_state;
    run->kept_bytes = n->kept_bytes > run->kept_bytes ? n->kept_bytes : run->kept_bytes;
}

static void fold_runs(const graph_set *set, const state_graph *g, graph_fold *f)
{
    uint32_t longest = (g->m->state_count + SUMMARY_NODES - 1) / SUMMARY_NODES;
    uint32_t current = AIR_NONE, scope = AIR_NONE;
    for (uint32_t i = 0; i < g->nodes.count; i++) {
        const struct state_node *n = &g->nodes.at[i];
        if (!is_inner(n)) {
            f->of[i] = is_linked(set, g, i) ? push_node(g, f, FOLD_ONE, i) : AIR_NONE;
            continue;
        }
        uint32_t outer = outermost_scope(g->m, n->scope);
        struct fold_node *run = current == AIR_NONE ? NULL : &f->nodes.at[current];
        if (run == NULL || run->count >= longest || (outer != scope && run->count * 2 >= longest)) {
            current = push_node(g, f, FOLD_MANY, i);
            run = &f->nodes.at[current];
        }
        scope = outer;
        f->of[i] = current;
        if (n->kind == NODE_STATE)
            add_to_run(run, n);
    }
}

static bool is_in_range(const graph_set *set, const state_graph *g, uint32_t node)
{
    const struct state_node *n = &g->nodes.at[node];
    if (n->kind == NODE_STATE && n->state != NULL)
        return n->number >= set->first_state && n->number <= set->last_state;
    if (!is_inner(n))
        return false;
    for (uint32_t i = node + 1; i < g->nodes.count; i++) { /* a choice goes with what it leads to */
        if (g->nodes.at[i].kind == NODE_STATE)
            return g->nodes.at[i].number >= set->first_state &&
                   g->nodes.at[i].number <= set->last_state;
    }
    return false;
}

/* Which nodes outside of the range does an edge lead to or come from? Returns how many. */
static uint32_t find_stubs(const graph_set *set, const state_graph *g, bool *stub)
{
    uint32_t count = 0;
    for (size_t i = 0; i < g->edges.count; i++) {
        const struct state_edge *e = &g->edges.at[i];
        if (e->is_cancel && !set->show_cancel)
            continue;
        bool from = is_in_range(set, g, e->from), to = is_in_range(set, g, e->to);
        bool *mark = &stub[from ? e->to : e->from];
        count += from != to && !*mark;
        *mark |= from != to;
    }
    return count;
}

static void fold_range(const graph_set *set, const state_graph *g, graph_fold *f)
{
    bool *stub = ARENA_ARRAY(g->mem, bool, g->nodes.count + 1);
    bool folds = find_stubs(set, g, stub) > MANY_NEIGHBOURS;
    uint32_t run = AIR_NONE;
    for (uint32_t i = 0; i < g->nodes.count; i++) {
        const struct state_node *n = &g->nodes.at[i];
        bool is_shown = is_in_range(set, g, i);
        f->of[i] = AIR_NONE;
        if (is_shown) {
            f->of[i] = push_node(g, f, FOLD_ONE, i);
            run = n->kind == NODE_STATE ? AIR_NONE : run;
        } else if (stub[i] && folds && is_inner(n) && n->kind == NODE_STATE) {
            run = run == AIR_NONE ? push_node(g, f, FOLD_MANY, i) : run;
            add_to_run(&f->nodes.at[run], n);
            f->of[i] = run;
        } else if (stub[i]) {
            f->of[i] = push_node(g, f, is_inner(n) ? FOLD_STUB : FOLD_ONE, i);
        }
    }
}

static void fold_edge(const graph_set *set, const state_graph *g, graph_fold *f, uint32_t index)
{
    const struct state_edge *e = &g->edges.at[index];
    uint32_t from = f->of[e->from], to = f->of[e->to];
    if ((e->is_cancel && !set->show_cancel) || from == AIR_NONE || to == AIR_NONE)
        return;
    if (f->nodes.at[from].kind == FOLD_MANY && from == to)
        return;
    bool outside =
        set->last_state != 0 && !is_in_range(set, g, e->from) && !is_in_range(set, g, e->to);
    if (outside)
        return;
    bool merges = f->nodes.at[from].kind == FOLD_MANY || f->nodes.at[to].kind == FOLD_MANY;
    for (size_t i = 0; (merges || f->is_summary) && i < f->edges.count; i++) {
        struct fold_edge *known = &f->edges.at[i];
        if (known->from == from && known->to == to &&
            g->edges.at[known->edge].is_cancel == e->is_cancel) {
            known->count++;
            known->passes += e->passes;
            return;
        }
    }
    VEC_PUSH(g->mem, &f->edges, (struct fold_edge){from, to, index, 1, e->passes});
}

graph_fold graph_fold_of(const graph_set *set, const state_graph *g)
{
    graph_fold f = {0};
    f.of = ARENA_ARRAY(g->mem, uint32_t, g->nodes.count + 1);
    if (set->last_state != 0) {
        fold_range(set, g, &f);
    } else if (g->m->state_count > GRAPH_DETAIL_STATES) {
        f.is_summary = true;
        fold_runs(set, g, &f);
    } else {
        for (uint32_t i = 0; i < g->nodes.count; i++)
            f.of[i] = is_linked(set, g, i) ? push_node(g, &f, FOLD_ONE, i) : AIR_NONE;
    }
    for (uint32_t i = 0; i < g->edges.count; i++)
        fold_edge(set, g, &f, i);
    return f;
}
