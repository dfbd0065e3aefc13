/* SPDX-License-Identifier: MIT */
/*
 * Which facts hold where in a function of the syntax tree? One solver over tree_cfg for all
 * analyses: with the flow or against it, over sets of small numbers or over states that the
 * analysis defines (a small map from variables to values, say).
 *
 * An analysis says what an item does to a state, how two states join where ways meet, and, if it
 * wants, what taking an edge tells (`p` is not NULL behind `if (p)`). The solver visits the blocks
 * that can be reached until nothing changes. Then tree_flow_walk goes through a block again and
 * shows the state at each item.
 */
#ifndef AWAITC_FLOW_TREE_FLOW_H
#define AWAITC_FLOW_TREE_FLOW_H

#include "analyzer/base/bitset.h"
#include "analyzer/flow/tree_cfg.h"

enum tree_direction { TREE_FORWARDS, TREE_BACKWARDS };

/* States of the analysis's own form. */
struct tree_states {
    size_t bytes; /* of a state; the solver allocates them, zeroed, in its arena */
    enum tree_direction direction;
    /* Makes a zeroed state ready to be copied to; NULL: nothing to do. */
    void (*prepare)(void *context, arena *mem, void *state);
    /* Sets what holds at the start: forwards at the entry, backwards at the exit; NULL: as
     * prepared. */
    void (*boundary)(void *context, void *state);
    /* Backwards: sets what holds in a loop from which no way leads to the exit; NULL: as prepared.
     */
    void (*endless)(void *context, void *state);
    /* *to = *from. */
    void (*copy)(void *context, void *to, const void *from);
    /* Where ways meet: *to becomes what holds after either; true if that changed it. To end, a
     * state may change only finitely often. */
    bool (*join)(void *context, void *to, const void *from);
    /* From what holds in front of an item (backwards: behind) to what holds on its other side. */
    void (*transfer)(void *context, const struct tree_item *item, void *state);
    /* What else holds if this edge is taken. False: in this state it cannot be. NULL: nothing. */
    bool (*edge)(void *context, const struct tree_edge *edge, void *state);
    void *context;
};

typedef struct tree_flow {
    const tree_cfg *graph;
    struct tree_states rules;
    void **input;     /* [block]: forwards the state in front of its first item, backwards the one
                         behind its last; NULL: no state comes there */
    bool is_complete; /* false: the states kept changing for so long that the solver gave up; they
                         may claim too much, use them for nothing */
    arena *mem;
    void *spare; /* state of a finished walk, for the next one */
} tree_flow;

/* Solves; the result lives in mem. `rules` is copied, its context borrowed by the result. */
tree_flow *tree_flow_solve(arena *mem, const tree_cfg *g, const struct tree_states *rules);

/* ---- sets ----------------------------------------------------------------------------------- */

enum tree_meet {
    TREE_UNION,       /* what holds on some way */
    TREE_INTERSECTION /* what holds on every way */
};

struct tree_sets {
    enum tree_direction direction;
    enum tree_meet meet;
    uint32_t capacity;      /* of the sets */
    const bitset *boundary; /* at the entry, backwards at the exit; NULL: empty */
    void (*transfer)(void *context, const struct tree_item *item, bitset *set);
    bool (*edge)(void *context, const struct tree_edge *edge, bitset *set); /* or NULL */
    void *context;
};

/* The same over sets: each state of the result is a bitset. */
tree_flow *tree_flow_solve_sets(arena *mem, const tree_cfg *g, const struct tree_sets *sets);

/* ---- the result ----------------------------------------------------------------------------- */

/*
 * A walk through one block in the direction of the analysis:
 *
 *     struct tree_flow_walk w = tree_flow_walk(flow, block);
 *     while (tree_flow_next(&w))
 *         look at(w.item, w.state);
 *
 * w.state holds in front of w.item (backwards: behind it) and is changed only by the next step.
 * After the last step it holds at the block's end (backwards: start), until another walk of the
 * flow begins. Walks of one flow may nest.
 */
struct tree_flow_walk {
    tree_flow *flow;
    uint32_t block, left;         /* left: items still to come */
    const struct tree_item *item; /* NULL before the first and behind the last */
    uint32_t index;               /* of item */
    void *state;                  /* NULL: no state comes here; then there are no steps */
};

struct tree_flow_walk tree_flow_walk(tree_flow *flow, uint32_t block);
bool tree_flow_next(struct tree_flow_walk *w);

/* The state in front of an item (backwards: behind it), a copy in mem; NULL: none comes there. */
void *tree_flow_at(arena *mem, tree_flow *flow, uint32_t item);

#endif
