/* SPDX-License-Identifier: MIT */
/*
 * Finds ways by breadth-first search over blocks. The block where a way begins is visited twice if
 * a loop comes back to it: first behind the start, later from its first item.
 */
#include "analyzer/flow/tree_paths.h"

struct tree_paths {
    const tree_cfg *g;
    uint32_t query;    /* number of the query under way */
    uint32_t *reached; /* [block]: the last query that entered it */
    uint32_t *entered; /* [block]: the edge by which it did */
    uint32_t *queue;   /* blocks */
};

/* One search. */
struct search {
    tree_paths *p;
    const struct tree_path_query *query;
    uint32_t head, tail; /* of the queue */
    uint32_t found_item; /* TREE_NONE: the exit */
    uint32_t last_edge;  /* by which control comes to the block of it; TREE_NONE: it began there */
};

tree_paths *tree_paths_new(arena *mem, const tree_cfg *g)
{
    tree_paths *p = ARENA_NEW(mem, tree_paths);
    p->g = g;
    p->reached = ARENA_ARRAY(mem, uint32_t, g->block_count);
    p->entered = ARENA_ARRAY(mem, uint32_t, g->block_count);
    p->queue = ARENA_ARRAY(mem, uint32_t, g->block_count);
    return p;
}

static void start_query(tree_paths *p)
{
    p->query++;
    if (p->query != 0)
        return;
    memset(p->reached, 0, sizeof *p->reached * p->g->block_count);
    p->query = 1;
}

/* Visits the block's items from `item` on. */
static enum tree_step visit_items(struct search *s, uint32_t block, uint32_t item)
{
    const struct tree_block *b = &s->p->g->blocks[block];
    for (; item < b->first_item + b->item_count; item++) {
        enum tree_step step = s->query->visit(s->query->context, item);
        if (step == TREE_FOUND)
            s->found_item = item;
        if (step != TREE_GO_ON)
            return step;
    }
    if (block != s->p->g->exit || !s->query->to_exit)
        return TREE_GO_ON;
    s->found_item = TREE_NONE;
    return TREE_FOUND;
}

static void enter_next(struct search *s, uint32_t block)
{
    tree_paths *p = s->p;
    const struct tree_block *b = &p->g->blocks[block];
    for (uint32_t i = b->first_succ; i < b->first_succ + b->succ_count; i++) {
        const struct tree_edge *e = &p->g->edges[i];
        if (p->reached[e->to] == p->query)
            continue;
        if (s->query->edge != NULL && !s->query->edge(s->query->context, e))
            continue;
        p->reached[e->to] = p->query;
        p->entered[e->to] = i;
        p->queue[s->tail++] = e->to;
    }
}

/* Does the search find what it looks for? */
static bool run(struct search *s, uint32_t start)
{
    tree_paths *p = s->p;
    uint32_t item = p->g->blocks[start].first_item;
    if (s->query->from != TREE_NONE)
        item = s->query->from + 1;
    enum tree_step step = visit_items(s, start, item);
    s->last_edge = TREE_NONE;
    if (step == TREE_GO_ON)
        enter_next(s, start);
    while (step != TREE_FOUND && s->head < s->tail) {
        uint32_t block = p->queue[s->head++];
        step = visit_items(s, block, p->g->blocks[block].first_item);
        s->last_edge = p->entered[block];
        if (step == TREE_GO_ON)
            enter_next(s, block);
    }
    return step == TREE_FOUND;
}

static uint32_t start_block(const tree_paths *p, const struct tree_path_query *query)
{
    return query->from == TREE_NONE ? 0 : p->g->items[query->from].block;
}

/* The edges from the start to the last one, which the search left in `entered`. */
static struct tree_edge_list collect(arena *mem, const struct search *s, uint32_t start)
{
    const tree_paths *p = s->p;
    struct tree_edge_list list = {0};
    for (uint32_t e = s->last_edge; e != TREE_NONE; e = p->entered[p->g->edges[e].from]) {
        list.count++;
        if (p->g->edges[e].from == start)
            break;
    }
    list.at = ARENA_ARRAY(mem, uint32_t, list.count);
    uint32_t e = s->last_edge;
    for (uint32_t i = list.count; i-- > 0;) {
        list.at[i] = e;
        e = p->entered[p->g->edges[e].from];
    }
    return list;
}

struct tree_path tree_paths_find(arena *mem, tree_paths *p, const struct tree_path_query *query)
{
    struct search s = {.p = p, .query = query};
    uint32_t start = start_block(p, query);
    start_query(p);
    struct tree_path path = {.found = run(&s, start), .item = TREE_NONE};
    if (!path.found)
        return path;
    path.item = s.found_item;
    path.edges = collect(mem, &s, start);
    return path;
}

/* ---- from item to item ---------------------------------------------------------------------- */

struct reach {
    uint32_t to;
    bool (*stop)(void *context, uint32_t item);
    void *context;
};

static enum tree_step visit_reach(void *context, uint32_t item)
{
    const struct reach *r = context;
    if (item == r->to)
        return TREE_FOUND;
    return r->stop != NULL && r->stop(r->context, item) ? TREE_STOP : TREE_GO_ON;
}

bool tree_paths_reach(tree_paths *p, uint32_t from, uint32_t to,
                      bool (*stop)(void *context, uint32_t item), void *context)
{
    struct reach r = {to, stop, context};
    struct tree_path_query query = {.from = from, .visit = visit_reach, .context = &r};
    struct search s = {.p = p, .query = &query};
    start_query(p);
    return run(&s, start_block(p, &query));
}

bool tree_path_decides(const struct tree_edge *edge)
{
    return edge->kind == TREE_TRUE || edge->kind == TREE_FALSE || edge->kind == TREE_CASE ||
           edge->kind == TREE_DEFAULT;
}
