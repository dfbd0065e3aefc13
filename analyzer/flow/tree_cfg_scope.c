/* SPDX-License-Identifier: MIT */
/*
 * What runs where control leaves scopes? A stack of entries, innermost on top: scopes, variables
 * with a cleanup function, defers. Whatever leaves lays out the entries between its place and its
 * target, in order: an own copy a way out, so that an analysis sees each way by itself.
 *
 * Defers in the bodies of defers multiply, and so do returns in deep nests of scopes. From a number
 * of items on, far above what people write, ways out are left without items.
 */
#include "analyzer/flow/tree_cfg_internal.h"

void build_push_exit(tree_builder *b, enum exit_kind kind, const ast_node *node)
{
    struct exit_entry *e = ARENA_NEW(b->mem, struct exit_entry);
    *e = (struct exit_entry){b->exits, kind, node};
    b->exits = e;
}

static bool holds(const ast_node *outer, const ast_node *inner)
{
    return outer->first <= inner->first && inner->last <= outer->last;
}

/* Each copy of a body has labels of its own. */
static void forget_labels(tree_builder *b, const ast_node *body)
{
    for (size_t i = 0; i < b->fn->labels.count; i++) {
        const ast_decl *label = b->fn->labels.at[i];
        if (label->declarator != NULL && holds(body, label->declarator))
            b->label_block[label->id] = TREE_NONE;
    }
}

/* One copy of a defer's body, in which nothing of what is around can be left. */
static void lay_deferred(tree_builder *b, const struct exit_entry *entry)
{
    const struct exit_entry *exits = b->exits, *floor = b->floor;
    const struct jump_frame *jumps = b->jumps;
    struct switch_frame *switches = b->switches;
    bool in_defer = b->in_defer;
    b->exits = b->floor = entry->below;
    b->jumps = NULL;
    b->switches = NULL;
    b->in_defer = true;
    forget_labels(b, entry->node);
    build_statement(b, entry->node->kid[0]);
    b->exits = exits;
    b->floor = floor;
    b->jumps = jumps;
    b->switches = switches;
    b->in_defer = in_defer;
}

static void lay_entry(tree_builder *b, const struct exit_entry *entry)
{
    switch (entry->kind) {
    case EXIT_SCOPE:
        build_emit(b, TREE_SCOPE_END, entry->node);
        break;
    case EXIT_CLEANUP:
        build_emit(b, TREE_CLEANUP, entry->node);
        break;
    case EXIT_DEFER:
        lay_deferred(b, entry);
        break;
    }
}

void build_unwind(tree_builder *b, const struct exit_entry *down_to)
{
    for (const struct exit_entry *e = b->exits; e != down_to && e != b->floor; e = e->below) {
        if (b->current == TREE_NONE)
            return;
        if (b->items.count > b->item_limit) {
            b->is_cut = true;
            return;
        }
        lay_entry(b, e);
    }
}

/* A scope is in force at what stands in it; the rest at what stands behind it, in its scope. */
const struct exit_entry *build_exits_at_label(const tree_builder *b, const ast_node *label)
{
    const struct exit_entry *kept = NULL;
    for (const struct exit_entry *e = b->exits; e != b->floor; e = e->below) {
        if (e->kind != EXIT_SCOPE) {
            if (kept == NULL && e->node->first < label->first)
                kept = e;
        } else if (holds(e->node, label)) {
            return kept != NULL ? kept : e;
        } else {
            kept = NULL;
        }
    }
    return b->floor;
}
