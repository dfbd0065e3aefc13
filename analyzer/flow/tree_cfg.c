/* SPDX-License-Identifier: MIT */
/*
 * Builds the graph of a function: blocks under construction, and the walk's frame. The body is laid
 * out as a statement; falling off its end goes to the exit.
 */
#include "analyzer/flow/tree_cfg_internal.h"

/* ---- blocks --------------------------------------------------------------------------------- */

uint32_t build_new_block(tree_builder *b)
{
    VEC_PUSH(b->mem, &b->blocks, (struct raw_block){.place = TREE_NONE});
    return (uint32_t)b->blocks.count - 1;
}

static void begin(tree_builder *b, uint32_t block)
{
    struct raw_block *raw = &b->blocks.at[block];
    raw->place = b->begun_count++;
    raw->first_item = (uint32_t)b->items.count;
    b->current = block;
}

void build_begin(tree_builder *b, uint32_t block)
{
    build_jump(b, block, NULL);
    if (b->blocks.at[block].in_count != 0)
        begin(b, block);
}

void build_begin_always(tree_builder *b, uint32_t block, bool is_kept)
{
    build_jump(b, block, NULL);
    b->blocks.at[block].is_kept = is_kept;
    begin(b, block);
}

void build_emit(tree_builder *b, enum tree_item_kind kind, const ast_node *node)
{
    if (b->current == TREE_NONE)
        begin(b, build_new_block(b));
    VEC_PUSH(b->mem, &b->items, (struct tree_item){.kind = kind, .node = node});
    b->blocks.at[b->current].item_count++;
}

void build_edge(tree_builder *b, uint32_t from, const struct tree_edge *edge)
{
    if (from == TREE_NONE)
        return;
    struct tree_edge e = *edge;
    e.from = from;
    VEC_PUSH(b->mem, &b->edges, e);
    b->blocks.at[e.to].in_count++;
}

void build_jump(tree_builder *b, uint32_t to, const ast_node *statement)
{
    build_edge(b, b->current, &(struct tree_edge){.to = to, .jump = statement});
    b->current = TREE_NONE;
}

/* ---- labels --------------------------------------------------------------------------------- */

uint32_t build_label_block(tree_builder *b, const ast_decl *label)
{
    if (label == NULL || label->declarator == NULL)
        return b->exit;
    uint32_t *block = &b->label_block[label->id];
    if (*block == TREE_NONE)
        *block = build_new_block(b);
    return *block;
}

/* The edges of the block where all computed gotos meet. */
static void finish_dispatch(tree_builder *b)
{
    if (b->dispatch == TREE_NONE)
        return;
    for (size_t i = 0; i < b->addressed.count; i++) {
        const ast_decl *label = b->addressed.at[i];
        build_edge(b, b->dispatch,
                   &(struct tree_edge){.to = build_label_block(b, label),
                                       .kind = TREE_COMPUTED,
                                       .label = label->declarator});
    }
}

/* ---- build ---------------------------------------------------------------------------------- */

tree_cfg *tree_cfg_build(arena *mem, const ast_function *fn, const struct tree_cfg_hooks *hooks)
{
    tree_builder b = {.mem = mem, .fn = fn, .current = TREE_NONE, .dispatch = TREE_NONE};
    if (hooks != NULL)
        b.hooks = *hooks;
    b.item_limit = 65536 + 16 * fn->token_count;
    b.label_block = ARENA_ARRAY(mem, uint32_t, fn->decls.count);
    for (size_t i = 0; i < fn->decls.count; i++)
        b.label_block[i] = TREE_NONE;
    build_begin_always(&b, build_new_block(&b), true);
    b.exit = build_new_block(&b);
    build_statement(&b, fn->root->kid[2]);
    finish_dispatch(&b);
    build_begin_always(&b, b.exit, true);
    return build_finish(&b);
}
