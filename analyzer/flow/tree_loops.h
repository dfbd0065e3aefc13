/* SPDX-License-Identifier: MIT */
/*
 * Which loops does a function of the syntax tree have, and how does control leave them? A loop is a
 * WHILE, DO or FOR, or else what gotos make: a block that dominates one from which an edge leads
 * back to it. `do { ... } while (0)` is one that does not repeat.
 *
 *      while (a) {          contains: all that is laid out for the statement, the break's way, too
 *          if (b)           cycles:   what can be run again: not the break
 *              break;       exits:    a is false; break
 *      }
 */
#ifndef AWAITC_FLOW_TREE_LOOPS_H
#define AWAITC_FLOW_TREE_LOOPS_H

#include "analyzer/flow/tree_cfg.h"

struct tree_loop {
    const ast_node *node;  /* AST_WHILE, AST_DO, AST_FOR; NULL: made by goto */
    uint32_t header;       /* first block of an iteration */
    uint32_t first, end;   /* a statement's blocks: [first, end) */
    uint32_t continues_at; /* where `continue` goes; made by goto: the header */
    uint32_t parent;       /* the innermost loop around, repeating or not; TREE_NONE */
    uint32_t depth;        /* 1: no loop around */
    bool repeats;          /* can an iteration follow another? */
};

typedef struct tree_loops {
    const tree_cfg *graph;
    struct tree_loop *at; /* the statements in the order of tree_cfg.loops, then those of gotos */
    uint32_t count;
    uint32_t *innermost; /* [block]: the innermost loop whose cycle it is on; TREE_NONE */
    uint32_t *around;    /* [loop]: as innermost, for cycles: the loop whose cycle this one is on */
} tree_loops;

tree_loops *tree_loops_find(arena *mem, const tree_cfg *g);

/* Is the block part of the loop (of the statement's text; of a goto's loop: on its cycle)? */
bool tree_loops_contains(const tree_loops *l, uint32_t loop, uint32_t block);
/* Can the block be run again in a later iteration of the loop? */
bool tree_loops_cycles(const tree_loops *l, uint32_t loop, uint32_t block);
/* The loop of a statement (its first copy); TREE_NONE. */
uint32_t tree_loops_of(const tree_loops *l, const ast_node *node);
/* The edges that leave the loop's contained blocks. */
struct tree_edge_list tree_loops_exits(arena *mem, const tree_loops *l, uint32_t loop);

enum tree_exit_kind {
    TREE_EXIT_CONDITION, /* of the loop itself, or at the end of a way made by one */
    TREE_EXIT_BREAK,
    TREE_EXIT_GOTO,
    TREE_EXIT_RETURN,
    TREE_EXIT_NORETURN,
    TREE_EXIT_CANCEL
};

/* How an edge of tree_loops_exits leaves. */
enum tree_exit_kind tree_loops_exit_kind(const struct tree_edge *edge);

#endif
