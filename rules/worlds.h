/* SPDX-License-Identifier: MIT */
/*
 * Which facts hold at a point of a function, on which ways? A forward analysis that keeps ways
 * apart as long as tests may depend on each other: a state is a few *worlds*, each a set of facts
 * together with what is known of the signs of the values that the function tests.
 *
 *     if (pthread_mutex_trylock(m) != 0)     two worlds: taken and result 0; not taken and not 0
 *         return;                            the second one
 *     await ...                              only the first one is left
 *     if (s->threaded) unlock(m);            undoes what `if (s->threaded) lock(m)` did
 *
 * The check says what items do to facts; the rest (assignments, conditions, loops) is done here.
 */
#ifndef AWAITC_RULES_WORLDS_H
#define AWAITC_RULES_WORLDS_H

#include "analyzer/flow/tree_flow.h"
#include "rules/lvalue_path.h"

enum { WORLD_FACTS = 64, WORLD_VALUES = 24, WORLDS_MAX = 24 };

/* Which signs a value may have. Pointers: zero or positive. */
enum { SIGN_NEGATIVE = 1, SIGN_ZERO = 2, SIGN_POSITIVE = 4, SIGN_ANY = 7 };

struct world {
    uint64_t facts;
    uint8_t sign[WORLD_VALUES];
};

struct worlds {
    uint32_t count; /* 0: control does not come here */
    struct world at[WORLDS_MAX];
};

typedef struct world_flow world_flow;

/* What an item does to the facts; called behind what it does to values. */
typedef void world_transfer(void *context, world_flow *f, const struct tree_item *item,
                            struct worlds *w);

/* A flow of a function in which nothing is tracked yet; view is borrowed, all lives in its arena.
 */
world_flow *world_flow_new(const fn_view *view, world_transfer *transfer, void *context);
/* Remembers the sign of this call's (or spawn's) result, so that worlds_split can be used with it.
 */
void world_flow_track(world_flow *f, const ast_node *call);
/* Solves; false if it was given up. */
bool world_flow_solve(world_flow *f);

const tree_cfg *world_flow_graph(const world_flow *f);
/* A walk through a block: its state is a struct worlds. */
struct tree_flow_walk world_flow_walk(world_flow *f, uint32_t block);
/* The worlds at the exit; count 0: there is no way to it. */
const struct worlds *world_flow_at_exit(const world_flow *f);

/* ---- for transfers and reports --------------------------------------------------------------- */

void worlds_set(struct worlds *w, uint64_t facts);
void worlds_clear(struct worlds *w, uint64_t facts);
/* All facts that hold in some world. */
uint64_t worlds_any(const struct worlds *w);
/* The facts come to hold if the call's result has one of these signs; from here on each world knows
 * which. Of a call that is not tracked: they come to hold. */
void worlds_split(world_flow *f, struct worlds *w, const ast_node *call, uint8_t signs,
                  uint64_t facts);
/* The variable that `target` names takes the sign of `value`, in each world. */
void worlds_give(const world_flow *f, struct worlds *w, const ast_node *target,
                 const ast_node *value);
/* What signs an expression may have in a world. */
uint8_t world_sign(const world_flow *f, const struct world *w, const ast_node *n);

#endif
