/* SPDX-License-Identifier: MIT */
/*
 * How do the parts of tree_cfg share a graph under construction? The tree is laid out in one walk:
 * statements (tree_cfg_stmt.c), expressions and conditions (tree_cfg_expr.c), what happens where
 * scopes are left (tree_cfg_scope.c). Raw blocks are created when something jumps to them, and
 * begun when the walk comes to their place; finishing (tree_cfg_finish.c) drops the empty ones and
 * numbers the rest.
 *
 *     new_block    a number to jump to
 *     begin        control goes on in that block; without jumps to it there is no current block
 *     emit         an item; without a current block it begins a dead one
 *     jump         the current block ends
 */
#ifndef AWAITC_FLOW_TREE_CFG_INTERNAL_H
#define AWAITC_FLOW_TREE_CFG_INTERNAL_H

#include "analyzer/flow/tree_cfg.h"

struct raw_block {
    uint32_t first_item, item_count; /* in the builder's items */
    uint32_t in_count;               /* jumps to it, so far */
    uint32_t place;                  /* how many were begun before it; TREE_NONE: not begun */
    bool is_kept;                    /* a loop's header, a label: stays even if empty */
};

enum exit_kind { EXIT_SCOPE, EXIT_CLEANUP, EXIT_DEFER };

/* What has to be done when control leaves; the innermost is on top. Never changed, so that a place
 * in the function can be remembered by its top. */
struct exit_entry {
    const struct exit_entry *below;
    enum exit_kind kind;
    const ast_node *node; /* AST_COMPOUND, AST_FOR; AST_DECLARATOR; AST_DEFER */
};

/* Where break and continue go. */
struct jump_frame {
    const struct jump_frame *outer;
    uint32_t break_to, continue_to; /* continue_to of a switch: TREE_NONE */
    const struct exit_entry *exits; /* what stays when they do */
};

struct switch_frame {
    struct switch_frame *outer;
    uint32_t block; /* that its operand is computed in; TREE_NONE: none is current */
    const ast_node *cond;
    bool is_known; /* the operand is a constant: `value` */
    bool is_met;   /* a case has that value */
    int64_t value;
    const ast_node *default_label;
    uint32_t default_block;
};

/* A conditional expression whose else part is under way, a chain of them. */
struct open_conditional {
    const ast_node *node;
    uint32_t join;
};

typedef struct tree_builder {
    arena *mem;
    const ast_function *fn;
    struct tree_cfg_hooks hooks;
    VEC(struct raw_block) blocks;
    VEC(struct tree_item) items;
    VEC(struct tree_edge) edges;
    VEC(struct tree_loop_range) loops; /* headers are raw, ranges are places */
    VEC(const ast_node *) spine;       /* operators whose first operand is under way */
    VEC(struct open_conditional) conditionals;
    VEC(const ast_decl *)
    addressed;        /* labels whose address is taken, if there is a computed goto */
    uint32_t current; /* block; TREE_NONE */
    uint32_t begun_count;
    uint32_t exit;
    uint32_t dispatch;     /* block of all computed gotos; TREE_NONE */
    uint32_t *label_block; /* [decl id]; TREE_NONE */
    const struct exit_entry *exits;
    const struct exit_entry *floor; /* in a defer's body: what its own jumps never leave */
    const struct jump_frame *jumps;
    struct switch_frame *switches;
    bool in_defer;
    bool is_cut;
    uint32_t item_limit; /* from here on exits are laid out short */
} tree_builder;

/* ---- blocks (tree_cfg.c) -------------------------------------------------------------------- */

uint32_t build_new_block(tree_builder *b);
/* Goes on in `block`, if something jumps to it. */
void build_begin(tree_builder *b, uint32_t block);
/* Goes on in `block`, to which something may jump later. Kept: even if it stays empty. */
void build_begin_always(tree_builder *b, uint32_t block, bool is_kept);
void build_emit(tree_builder *b, enum tree_item_kind kind, const ast_node *node);
/* An edge out of a block, which may be TREE_NONE: then there is none. */
void build_edge(tree_builder *b, uint32_t from, const struct tree_edge *edge);
/* Ends the current block, if there is one, by a jump that `statement` (or NULL) makes. */
void build_jump(tree_builder *b, uint32_t to, const ast_node *statement);

/* ---- parts ---------------------------------------------------------------------------------- */

/* Lays out what an expression's value needs; NULL: nothing. */
void build_value(tree_builder *b, const ast_node *n);
/* Lays out a condition and ends the current block by going to `yes` or `no`. */
void build_condition(tree_builder *b, const ast_node *n, uint32_t yes, uint32_t no);
/* Array bounds that are computed where a declarator or (its declarator) type name stands. */
void build_bounds(tree_builder *b, const ast_node *declarator);
void build_statement(tree_builder *b, const ast_node *n);

/* The block of a label; created where it is first named. NULL: the exit. */
uint32_t build_label_block(tree_builder *b, const ast_decl *label);

void build_push_exit(tree_builder *b, enum exit_kind kind, const ast_node *node);
/* Lays out what runs between the current place and `down_to`; the place stays as it is. */
void build_unwind(tree_builder *b, const struct exit_entry *down_to);
/* What a jump from the current place to a label leaves in force. */
const struct exit_entry *build_exits_at_label(const tree_builder *b, const ast_node *label);

/* The value of a constant expression, as far as the tree and the hook tell. */
bool build_constant(const tree_builder *b, const ast_node *n, int64_t *value);

/* The finished graph. */
tree_cfg *build_finish(tree_builder *b);
/* Fills order, ranks, back edges, dominators, post-dominators (tree_cfg_order.c). */
void tree_cfg_order(arena *mem, tree_cfg *g);

/* Is this a call of the builtin? */
bool build_calls(const tree_builder *b, const ast_node *call, const char *name);

#endif
