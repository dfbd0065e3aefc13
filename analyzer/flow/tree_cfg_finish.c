/* SPDX-License-Identifier: MIT */
/*
 * Makes the graph from the raw blocks: empty ones that only go on elsewhere are left out, the
 * others are numbered in the order in which they were begun, edges are sorted by where they leave,
 * and a hash table finds the items of a node.
 *
 * An empty block whose way out is a jump statement stays, so that an edge says no more than one
 * thing: its condition, or its jump.
 */
#include "analyzer/flow/tree_cfg_internal.h"

struct finisher {
    tree_builder *b;
    tree_cfg *g;
    uint32_t *begun;    /* raw blocks in order */
    uint32_t *goes_to;  /* [raw]: where an edge to it ends: itself, or what comes behind */
    uint32_t *number;   /* [raw]: final number; TREE_NONE: left out */
    uint32_t *at_place; /* [place]: number of the first block that was begun then or later */
};

/* ---- which blocks --------------------------------------------------------------------------- */

static void find_begun(struct finisher *f)
{
    f->begun = ARENA_ARRAY(f->b->mem, uint32_t, f->b->begun_count);
    for (uint32_t raw = 0; raw < f->b->blocks.count; raw++) {
        uint32_t place = f->b->blocks.at[raw].place;
        if (place != TREE_NONE)
            f->begun[place] = raw;
    }
}

/* [raw]: the target of the only edge out of it, if that is without a condition; TREE_NONE. */
static uint32_t *only_targets(const tree_builder *b)
{
    uint32_t *target = ARENA_ARRAY(b->mem, uint32_t, b->blocks.count);
    bool *has_edge = ARENA_ARRAY(b->mem, bool, b->blocks.count);
    for (size_t i = 0; i < b->blocks.count; i++)
        target[i] = TREE_NONE;
    for (size_t i = 0; i < b->edges.count; i++) {
        const struct tree_edge *e = &b->edges.at[i];
        bool is_plain = e->kind == TREE_ALWAYS && e->jump == NULL && !has_edge[e->from];
        target[e->from] = is_plain ? e->to : TREE_NONE;
        has_edge[e->from] = true;
    }
    return target;
}

/* Plain edges out of blocks that are not kept lead forwards, so the last block comes first. */
static void resolve_targets(struct finisher *f)
{
    const tree_builder *b = f->b;
    const uint32_t *target = only_targets(b);
    f->goes_to = ARENA_ARRAY(b->mem, uint32_t, b->blocks.count);
    for (uint32_t raw = 0; raw < b->blocks.count; raw++)
        f->goes_to[raw] = b->blocks.at[raw].place == TREE_NONE ? b->exit : raw;
    for (uint32_t i = b->begun_count; i-- > 0;) {
        uint32_t raw = f->begun[i];
        const struct raw_block *block = &b->blocks.at[raw];
        if (block->item_count == 0 && !block->is_kept && target[raw] != TREE_NONE)
            f->goes_to[raw] = f->goes_to[target[raw]];
    }
}

static void number_blocks(struct finisher *f)
{
    tree_cfg *g = f->g;
    f->number = ARENA_ARRAY(f->b->mem, uint32_t, f->b->blocks.count);
    f->at_place = ARENA_ARRAY(f->b->mem, uint32_t, f->b->begun_count + 1);
    for (uint32_t raw = 0; raw < f->b->blocks.count; raw++)
        f->number[raw] = TREE_NONE;
    for (uint32_t i = 0; i < f->b->begun_count; i++) {
        f->at_place[i] = g->block_count;
        if (f->goes_to[f->begun[i]] == f->begun[i])
            f->number[f->begun[i]] = g->block_count++;
    }
    f->at_place[f->b->begun_count] = g->block_count;
    g->blocks = ARENA_ARRAY(f->b->mem, struct tree_block, g->block_count);
    g->exit = f->number[f->b->exit];
}

/* ---- items and edges ------------------------------------------------------------------------ */

static void place_items(struct finisher *f)
{
    tree_cfg *g = f->g;
    g->items = f->b->items.at; /* blocks were begun, and filled, in order */
    g->item_count = (uint32_t)f->b->items.count;
    for (uint32_t i = 0; i < f->b->begun_count; i++) {
        const struct raw_block *raw = &f->b->blocks.at[f->begun[i]];
        uint32_t number = f->number[f->begun[i]];
        if (number == TREE_NONE)
            continue;
        g->blocks[number].first_item = raw->first_item;
        g->blocks[number].item_count = raw->item_count;
        for (uint32_t k = 0; k < raw->item_count; k++)
            g->items[raw->first_item + k].block = number;
    }
}

static void count_edges(struct finisher *f)
{
    tree_cfg *g = f->g;
    for (size_t i = 0; i < f->b->edges.count; i++) {
        struct tree_edge *e = &f->b->edges.at[i];
        e->from = f->number[e->from];
        e->to = f->number[f->goes_to[e->to]];
        if (e->from == TREE_NONE)
            continue;
        g->blocks[e->from].succ_count++;
        g->blocks[e->to].pred_count++;
        g->edge_count++;
    }
    uint32_t succs = 0, preds = 0;
    for (uint32_t i = 0; i < g->block_count; i++) {
        struct tree_block *block = &g->blocks[i];
        block->first_succ = succs;
        block->first_pred = preds;
        succs += block->succ_count;
        preds += block->pred_count;
        block->succ_count = block->pred_count = 0;
    }
}

static void place_edges(struct finisher *f)
{
    tree_cfg *g = f->g;
    count_edges(f);
    g->edges = ARENA_ARRAY(f->b->mem, struct tree_edge, g->edge_count);
    g->preds = ARENA_ARRAY(f->b->mem, uint32_t, g->edge_count);
    for (size_t i = 0; i < f->b->edges.count; i++) {
        const struct tree_edge *e = &f->b->edges.at[i];
        if (e->from == TREE_NONE)
            continue;
        struct tree_block *from = &g->blocks[e->from];
        g->edges[from->first_succ + from->succ_count++] = *e;
    }
    for (uint32_t i = 0; i < g->edge_count; i++) {
        struct tree_block *to = &g->blocks[g->edges[i].to];
        g->preds[to->first_pred + to->pred_count++] = i;
    }
}

static void place_loops(struct finisher *f)
{
    tree_cfg *g = f->g;
    g->loops = f->b->loops.at;
    g->loop_count = (uint32_t)f->b->loops.count;
    for (uint32_t i = 0; i < g->loop_count; i++) {
        struct tree_loop_range *l = &g->loops[i];
        uint32_t goes_on = f->number[f->goes_to[l->continues_at]];
        l->header = f->number[l->header];
        l->first = f->at_place[l->first];
        l->end = f->at_place[l->end];
        /* not begun: nothing comes there */
        l->continues_at = f->b->blocks.at[l->continues_at].place == TREE_NONE ? l->header : goes_on;
    }
}

/* ---- finding items -------------------------------------------------------------------------- */

static uint32_t slot_of(const tree_cfg *g, const ast_node *node, enum tree_item_kind kind)
{
    uint64_t key = (uint64_t)(uintptr_t)node * 0x9E3779B97F4A7C15u + kind;
    uint32_t slot = (uint32_t)(key >> 32) & g->slot_mask;
    while (g->slots[slot] != TREE_NONE) {
        const struct tree_item *item = &g->items[g->slots[slot]];
        if (item->node == node && item->kind == kind)
            break;
        slot = (slot + 1) & g->slot_mask;
    }
    return slot;
}

/* From the last item to the first, so that each finds the next one of its node. */
static void index_items(arena *mem, tree_cfg *g)
{
    uint32_t size = 16;
    while (size < 2 * (uint64_t)g->item_count && size < (UINT32_C(1) << 31))
        size *= 2;
    g->slots = ARENA_ARRAY(mem, uint32_t, size);
    g->slot_mask = size - 1;
    for (uint32_t i = 0; i < size; i++)
        g->slots[i] = TREE_NONE;
    for (uint32_t i = g->item_count; i-- > 0;) {
        struct tree_item *item = &g->items[i];
        uint32_t slot = slot_of(g, item->node, item->kind);
        item->next_same = g->slots[slot];
        g->slots[slot] = i;
    }
}

uint32_t tree_cfg_find_kind(const tree_cfg *g, const ast_node *node, enum tree_item_kind kind)
{
    return g->slots[slot_of(g, node, kind)];
}

uint32_t tree_cfg_find(const tree_cfg *g, const ast_node *node)
{
    enum tree_item_kind kind = TREE_EXPR;
    node = tree_bare(node);
    if (node->kind == AST_DECLARATOR)
        kind = TREE_DECL;
    else if (node->kind == AST_ASM)
        kind = TREE_ASM;
    else if (node->kind == AST_RETURN)
        kind = TREE_RETURN;
    else if (node->kind == AST_COMPOUND || node->kind == AST_FOR)
        kind = TREE_SCOPE_END;
    return tree_cfg_find_kind(g, node, kind);
}

/* ---- all ------------------------------------------------------------------------------------ */

tree_cfg *build_finish(tree_builder *b)
{
    struct finisher f = {.b = b, .g = ARENA_NEW(b->mem, tree_cfg)};
    f.g->fn = b->fn;
    f.g->is_cut = b->is_cut;
    find_begun(&f);
    resolve_targets(&f);
    number_blocks(&f);
    place_items(&f);
    place_edges(&f);
    place_loops(&f);
    index_items(b->mem, f.g);
    tree_cfg_order(b->mem, f.g);
    return f.g;
}
