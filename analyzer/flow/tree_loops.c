/* SPDX-License-Identifier: MIT */
/*
 * Finds loops. Cycles are natural loops, found from the innermost header out: the walk against the
 * flow from the edges that lead back to a header steps over inner loops as a whole, so the time is
 * about linear (after Tarjan, "Testing Flow Graph Reducibility", 1974). Statements come from the
 * layout, whose blocks are a run of numbers; a statement repeats if its header is a cycle's.
 */
#include "analyzer/flow/tree_loops.h"

struct finder {
    arena *mem;
    const tree_cfg *g;
    tree_loops *l;
    VEC(struct tree_loop) loops;
    VEC(uint32_t) around; /* [loop] */
    VEC(uint32_t) merged; /* [loop]: union-find: a loop whose cycle it is on, or itself */
    uint32_t *of_header;  /* [block]: the loop that begins there; TREE_NONE */
    VEC(uint32_t) work;   /* blocks of the cycle under way */
};

static void add_loop(struct finder *f, const struct tree_loop *loop)
{
    f->of_header[loop->header] = (uint32_t)f->loops.count;
    VEC_PUSH(f->mem, &f->merged, (uint32_t)f->loops.count);
    VEC_PUSH(f->mem, &f->around, TREE_NONE);
    VEC_PUSH(f->mem, &f->loops, *loop);
}

static void add_statements(struct finder *f)
{
    for (uint32_t i = 0; i < f->g->loop_count; i++) {
        const struct tree_loop_range *r = &f->g->loops[i];
        add_loop(f, &(struct tree_loop){.node = r->node,
                                        .header = r->header,
                                        .first = r->first,
                                        .end = r->end,
                                        .continues_at = r->continues_at,
                                        .parent = TREE_NONE});
    }
}

/* ---- cycles --------------------------------------------------------------------------------- */

/* The outermost loop found so far that has this one on its cycle. */
static uint32_t outermost(struct finder *f, uint32_t loop)
{
    uint32_t top = loop;
    while (f->merged.at[top] != top)
        top = f->merged.at[top];
    while (f->merged.at[loop] != top) {
        uint32_t next = f->merged.at[loop];
        f->merged.at[loop] = top;
        loop = next;
    }
    return top;
}

/* A block from which control comes back to the header of `loop`. */
static void add_to_cycle(struct finder *f, uint32_t loop, uint32_t block)
{
    if (!tree_cfg_is_reachable(f->g, block))
        return;
    uint32_t inner = f->l->innermost[block];
    if (inner == TREE_NONE) {
        f->l->innermost[block] = loop;
        VEC_PUSH(f->mem, &f->work, block);
        return;
    }
    inner = outermost(f, inner);
    if (inner == loop)
        return;
    f->around.at[inner] = f->merged.at[inner] = loop;
    VEC_PUSH(f->mem, &f->work, f->loops.at[inner].header);
}

static void grow_cycle(struct finder *f, uint32_t loop)
{
    uint32_t header = f->loops.at[loop].header;
    while (f->work.count != 0) {
        const struct tree_block *b = &f->g->blocks[f->work.at[--f->work.count]];
        if (b == &f->g->blocks[header])
            continue;
        for (uint32_t i = 0; i < b->pred_count; i++)
            add_to_cycle(f, loop, f->g->edges[f->g->preds[b->first_pred + i]].from);
    }
}

/* The cycle through `header`, if an edge leads back to it from what it dominates. */
static void find_cycle(struct finder *f, uint32_t header)
{
    const struct tree_block *b = &f->g->blocks[header];
    uint32_t loop = f->of_header[header];
    bool repeats = false;
    for (uint32_t i = 0; i < b->pred_count; i++) {
        const struct tree_edge *e = &f->g->edges[f->g->preds[b->first_pred + i]];
        if (!tree_cfg_dominates(f->g, header, e->from))
            continue;
        if (!repeats && loop == TREE_NONE) {
            loop = (uint32_t)f->loops.count;
            add_loop(f, &(struct tree_loop){
                            .header = header, .continues_at = header, .parent = TREE_NONE});
        }
        if (!repeats)
            f->l->innermost[header] = loop;
        repeats = true;
        add_to_cycle(f, loop, e->from);
    }
    if (!repeats)
        return;
    f->loops.at[loop].repeats = true;
    grow_cycle(f, loop);
}

/* ---- nesting -------------------------------------------------------------------------------- */

/* [block]: the innermost statement that has it; outer ones come first. */
static uint32_t *innermost_statements(const struct finder *f, uint32_t *enclosing)
{
    uint32_t *of_block = ARENA_ARRAY(f->mem, uint32_t, f->g->block_count);
    uint32_t *ends = ARENA_ARRAY(f->mem, uint32_t, f->g->loop_count);
    uint32_t depth = 0, next = 0;
    for (uint32_t block = 0; block < f->g->block_count; block++) {
        while (depth != 0 && f->loops.at[ends[depth - 1]].end <= block)
            depth--;
        for (; next < f->g->loop_count && f->loops.at[next].first <= block; next++) {
            enclosing[next] = depth == 0 ? TREE_NONE : ends[depth - 1];
            ends[depth++] = next;
        }
        of_block[block] = depth == 0 ? TREE_NONE : ends[depth - 1];
    }
    return of_block;
}

/* Can the loop of gotos be around the other loop? Where gotos jump into loops, cycles and
 * statements do not nest; that a loop around begins earlier in the source keeps this a tree. */
static bool may_be_around(const struct finder *f, uint32_t outer, uint32_t loop)
{
    const struct tree_loop *o = &f->loops.at[outer];
    return o->node == NULL && o->header < f->loops.at[loop].header;
}

/* The nearer of the enclosing statement and the enclosing loop of gotos. */
static uint32_t parent_of(const struct finder *f, uint32_t loop, uint32_t statement)
{
    uint32_t cycle = f->around.at[loop];
    if (!f->loops.at[loop].repeats)
        cycle = f->l->innermost[f->loops.at[loop].header];
    while (cycle != TREE_NONE && cycle != statement && !may_be_around(f, cycle, loop))
        cycle = f->around.at[cycle];
    if (cycle == TREE_NONE || statement == TREE_NONE)
        return cycle == TREE_NONE ? statement : cycle;
    uint32_t header = f->loops.at[cycle].header;
    const struct tree_loop *s = &f->loops.at[statement];
    return s->first <= header && header < s->end ? cycle : statement;
}

static void find_parents(struct finder *f)
{
    uint32_t *enclosing = ARENA_ARRAY(f->mem, uint32_t, f->loops.count);
    const uint32_t *of_block = innermost_statements(f, enclosing);
    for (uint32_t i = 0; i < f->loops.count; i++) {
        struct tree_loop *loop = &f->loops.at[i];
        uint32_t statement = loop->node != NULL ? enclosing[i] : of_block[loop->header];
        loop->parent = parent_of(f, i, statement);
    }
    for (uint32_t i = 0; i < f->loops.count; i++) {
        uint32_t depth = 1, at = f->loops.at[i].parent;
        for (; at != TREE_NONE && f->loops.at[at].depth == 0; at = f->loops.at[at].parent)
            depth++;
        f->loops.at[i].depth = depth + (at == TREE_NONE ? 0 : f->loops.at[at].depth);
    }
}

tree_loops *tree_loops_find(arena *mem, const tree_cfg *g)
{
    struct finder f = {.mem = mem, .g = g, .l = ARENA_NEW(mem, tree_loops)};
    f.of_header = ARENA_ARRAY(mem, uint32_t, g->block_count);
    f.l->graph = g;
    f.l->innermost = ARENA_ARRAY(mem, uint32_t, g->block_count);
    for (uint32_t i = 0; i < g->block_count; i++)
        f.of_header[i] = f.l->innermost[i] = TREE_NONE;
    add_statements(&f);
    for (uint32_t i = g->reachable_count; i-- > 0;)
        find_cycle(&f, g->order[i]);
    find_parents(&f);
    f.l->at = f.loops.at;
    f.l->count = (uint32_t)f.loops.count;
    f.l->around = f.around.at;
    return f.l;
}

/* ---- questions ------------------------------------------------------------------------------ */

bool tree_loops_cycles(const tree_loops *l, uint32_t loop, uint32_t block)
{
    uint32_t at = l->innermost[block];
    while (at != TREE_NONE && at != loop)
        at = l->around[at];
    return at == loop;
}

bool tree_loops_contains(const tree_loops *l, uint32_t loop, uint32_t block)
{
    const struct tree_loop *s = &l->at[loop];
    if (s->node == NULL)
        return tree_loops_cycles(l, loop, block);
    return s->first <= block && block < s->end;
}

uint32_t tree_loops_of(const tree_loops *l, const ast_node *node)
{
    for (uint32_t i = 0; i < l->graph->loop_count; i++) {
        if (l->at[i].node == node)
            return i;
    }
    return TREE_NONE;
}

struct tree_edge_list tree_loops_exits(arena *mem, const tree_loops *l, uint32_t loop)
{
    const tree_cfg *g = l->graph;
    VEC(uint32_t) found = {0};
    for (uint32_t i = 0; i < g->edge_count; i++) {
        const struct tree_edge *e = &g->edges[i];
        if (tree_cfg_is_reachable(g, e->from) && tree_loops_contains(l, loop, e->from) &&
            !tree_loops_contains(l, loop, e->to))
            VEC_PUSH(mem, &found, i);
    }
    return (struct tree_edge_list){found.at, (uint32_t)found.count};
}

enum tree_exit_kind tree_loops_exit_kind(const struct tree_edge *edge)
{
    if (edge->kind == TREE_NORETURN)
        return TREE_EXIT_NORETURN;
    if (edge->kind == TREE_CANCEL)
        return TREE_EXIT_CANCEL;
    if (edge->kind == TREE_COMPUTED)
        return TREE_EXIT_GOTO;
    if (edge->jump == NULL)
        return TREE_EXIT_CONDITION;
    switch (edge->jump->kind) {
    case AST_BREAK:
        return TREE_EXIT_BREAK;
    case AST_RETURN:
        return TREE_EXIT_RETURN;
    case AST_GOTO:
    case AST_GOTO_COMPUTED:
        return TREE_EXIT_GOTO;
    default:
        return TREE_EXIT_CONDITION;
    }
}
