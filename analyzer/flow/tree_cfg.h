/* SPDX-License-Identifier: MIT */
/*
 * In which order does a function of the syntax tree compute, and from where to where can control
 * go? The linter's control flow graph: it needs neither types nor AIR, so it exists for plain
 * functions, too. A block is a run of items without a jump into or out of its middle:
 *
 *      if (p && f(p)) g();      0: p                 -> 1 if p, 3 if not p
 *      return;                  1: f, p, f(p)        -> 2 if f(p), 3 if not f(p)
 *                               2: g, g()            -> 3
 *                               3: return, end {     -> 4
 *                               4: (exit)
 *
 * Items stand in the order of evaluation, operands before their operator: callee, arguments, CALL;
 * operand, AWAIT; right side, left side, ASSIGN; arguments, FORM. These have no item: PAREN,
 * INIT_LIST, DESIGNATED and GENERIC_ASSOC (their parts have); operands that are not evaluated; in a
 * condition the operators !, && and || (and __builtin_expect), since edges say what they decide: an
 * edge's condition is the innermost operand. `a && b` outside of a condition has its item where its
 * ways meet, as `a ? b : c` has everywhere else.
 *
 * Each way out of a scope is laid out on its own: the clean-ups and defer bodies that run there, in
 * order, and a TREE_SCOPE_END a scope. So a node may have several items (next_same).
 */
#ifndef AWAITC_FLOW_TREE_CFG_H
#define AWAITC_FLOW_TREE_CFG_H

#include "analyzer/base/strbuf.h"
#include "analyzer/syntax/ast.h"

#define TREE_NONE UINT32_MAX /* no block, no item, no edge, no loop */

enum tree_item_kind {
    TREE_EXPR,    /* an expression is computed; its operands were, before */
    TREE_DECL,    /* AST_DECLARATOR of a variable of any storage, behind its initialiser's items; a
                     static one's initialiser has none, as it is not computed here */
    TREE_ASM,     /* AST_ASM, behind its operands: the outputs among them are written here */
    TREE_RETURN,  /* AST_RETURN, behind its expression; clean-ups follow */
    TREE_CLEANUP, /* AST_DECLARATOR whose cleanup function runs */
    TREE_SCOPE_END, /* AST_COMPOUND, or an AST_FOR that declares: its variables end */
    TREE_ITEM_KIND_COUNT
};

struct tree_item {
    enum tree_item_kind kind;
    uint32_t block;
    uint32_t next_same; /* the next item of the same kind and node (a copy of a defer's body, a
                           scope that is left elsewhere); TREE_NONE */
    const ast_node *node;
};

enum tree_edge_kind {
    TREE_ALWAYS,
    TREE_TRUE,     /* `cond` is not 0 */
    TREE_FALSE,    /* `cond` is 0 */
    TREE_CASE,     /* `cond`, a switch's operand, is one of the values of `label` */
    TREE_DEFAULT,  /* `cond` is none of the switch's values; `label` is AST_DEFAULT or NULL */
    TREE_COMPUTED, /* computed goto, asm goto: to `label`, an AST_LABEL */
    TREE_NORETURN, /* to the exit: `jump` is the CALL or AWAIT that does not come back */
    TREE_CANCEL,   /* `jump` is the AWAIT where the task is cancelled; leads through the clean-ups
                      of all scopes to the exit. Only if asked for */
    TREE_EDGE_KIND_COUNT
};

struct tree_edge {
    uint32_t from, to; /* blocks; leaves behind the last item of `from` */
    enum tree_edge_kind kind;
    bool is_back;         /* leads to a block that comes no later in `order`: closes a loop */
    const ast_node *cond; /* without parentheses and `!`; NULL unless the kind says */
    const ast_node *label;
    const ast_node *jump; /* AST_BREAK, CONTINUE, GOTO, GOTO_COMPUTED, RETURN that control takes on
                             this way, or what the kind says; NULL */
};

struct tree_block {
    uint32_t first_item, item_count;
    uint32_t first_succ, succ_count; /* in tree_cfg.edges */
    uint32_t first_pred, pred_count; /* in tree_cfg.preds */
    uint32_t rank;                   /* place in tree_cfg.order; TREE_NONE: cannot be reached */
    uint32_t idom;  /* immediate dominator; TREE_NONE: the entry, or cannot be reached */
    uint32_t ipdom; /* immediate post-dominator; TREE_NONE: the exit, an endless loop's block that
                       stands for it, or cannot be reached */
};

/* A WHILE, DO or FOR as it was laid out (in each copy of a defer's body once more). */
struct tree_loop_range {
    const ast_node *node;
    uint32_t header;       /* where an iteration begins: the condition's or (DO) the body's */
    uint32_t first, end;   /* its blocks, condition and increment included: [first, end) */
    uint32_t continues_at; /* where a `continue` goes */
};

/* Places in a depth-first numbering of a dominator tree: a block's subtree is [first, end). */
struct tree_interval {
    uint32_t first, end;
};

typedef struct tree_cfg {
    const ast_function *fn;
    struct tree_block *blocks; /* in the order of the source; 0 is the entry */
    uint32_t block_count;
    uint32_t exit;           /* the last block; has no items */
    struct tree_item *items; /* by block */
    uint32_t item_count;
    struct tree_edge *edges; /* by the block they leave */
    uint32_t edge_count;
    uint32_t *preds; /* indices of edges, by the block they reach */
    uint32_t *order; /* the blocks that can be reached, in reverse post-order */
    uint32_t reachable_count;
    uint32_t *endless; /* a block of each endless loop from which no way leads to the exit */
    uint32_t endless_count;
    struct tree_loop_range *loops; /* outer before inner ones */
    uint32_t loop_count;
    bool is_cut; /* too many ways out of too many scopes: some have no items for what they leave.
                    Nobody writes such a function; a check that needs clean-ups should be silent */
    uint32_t *slots; /* hash table of the first item of each node: tree_cfg_find */
    uint32_t slot_mask;
    struct tree_interval *dominated, *post_dominated; /* [block]: tree_cfg_dominates */
} tree_cfg;

/* What the graph should know that the tree does not tell. Any function may be NULL. */
struct tree_cfg_hooks {
    /* Does this AST_CALL never return? (That __builtin_unreachable and __builtin_trap do not, is
     * known.) An awaited call ends the way at its AWAIT; one in a FORM ends none. */
    bool (*is_noreturn)(void *context, const ast_node *call);
    /* The value of a constant that the tree alone does not tell: enumerators, sizeof. */
    bool (*constant)(void *context, const ast_node *expression, int64_t *value);
    /* Do the labels of this AST_SWITCH without a default name every value that it can meet? */
    bool (*is_exhaustive)(void *context, const ast_node *switch_node);
    void *context;
    bool has_cancel_edges; /* each AWAIT outside of defer bodies gets one */
};

/*
 * The graph of a function.
 *
 * mem    receives the graph, which borrows fn.
 * hooks  borrowed for the call; NULL: none.
 *
 * Takes about linear time. Recursion is as deep as the parser's (2000 levels), not as chains of
 * operators, labels or else ifs are long.
 */
tree_cfg *tree_cfg_build(arena *mem, const ast_function *fn, const struct tree_cfg_hooks *hooks);

/* ---- questions ------------------------------------------------------------------------------ */

static inline bool tree_cfg_is_reachable(const tree_cfg *g, uint32_t block)
{
    return g->blocks[block].rank != TREE_NONE;
}

/* The first item of a node (of a PAREN: of what it encloses); TREE_NONE: it has none. All others:
 * next_same. A DECLARATOR's first item is its TREE_DECL; tree_cfg_find_kind finds its clean-ups. */
uint32_t tree_cfg_find(const tree_cfg *g, const ast_node *node);
uint32_t tree_cfg_find_kind(const tree_cfg *g, const ast_node *node, enum tree_item_kind kind);

/* An expression without its parentheses. */
const ast_node *tree_bare(const ast_node *expression);

/* Does every way from the entry to block `below` come through block `above`? A block dominates
 * itself; false if one of them cannot be reached. Constant time. */
bool tree_cfg_dominates(const tree_cfg *g, uint32_t above, uint32_t below);
/* Does every way from block `before` to the exit come through block `after`? */
bool tree_cfg_post_dominates(const tree_cfg *g, uint32_t after, uint32_t before);
/* The same for items; of two in one block the first dominates. */
bool tree_cfg_item_dominates(const tree_cfg *g, uint32_t above, uint32_t below);
bool tree_cfg_item_post_dominates(const tree_cfg *g, uint32_t after, uint32_t before);

/* Indices of edges. */
struct tree_edge_list {
    uint32_t *at;
    uint32_t count;
};

/*
 * Which decisions make control come to `block`: those edges behind which it comes there for sure
 * (as far as no endless loop or noreturn call holds it up) while on another edge of the same block
 * it may not. Takes time linear in the edges.
 *
 * is_transitive  also those that decide about the deciding blocks, and so on: all enclosing ifs,
 *                loops and the early exits before it.
 */
struct tree_edge_list tree_cfg_controls(arena *mem, const tree_cfg *g, uint32_t block,
                                        bool is_transitive);

/* ---- dump ----------------------------------------------------------------------------------- */

/* The graph as text for tests, one block a line: number, items, edges (`!` in front of the number:
 * cannot be reached; `^` behind an edge: back edge). Brief: without names and literals, unless one
 * is a whole condition. */
void tree_cfg_dump(const tree_cfg *g, bool is_brief, strbuf *out);

#endif
