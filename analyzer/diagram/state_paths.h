/* SPDX-License-Identifier: MIT */
/*
 * Where can a function get from a state without suspending, and under which conditions? The blocks
 * between two awaits fold into a small decision graph: its leaves are the next states, its inner
 * nodes the branches on the way, asked in order.
 *
 *     read ->  n <= 0 ?  yes: run the defer, returned
 *                        no:  write_all
 *
 * A loop without an await inside asks nothing that matters, and vanishes. Clean-ups know which way
 * out they serve, so a `return` does not seem to lead to where a `break` goes.
 */
#ifndef AWAITC_DIAGRAM_STATE_PATHS_H
#define AWAITC_DIAGRAM_STATE_PATHS_H

#include "analyzer/ir/machine.h"

enum path_kind {
    PATH_NOWHERE, /* back to where the walk has been, without an await */
    PATH_STATE,   /* index: its number */
    PATH_CHOICE,  /* index: into path_request.choices */
    PATH_RETURNED,
    PATH_CANCELLED,
    PATH_STOPPED,  /* a call that does not return */
    PATH_DECISION, /* index: the block whose branch decides; next: by target */
    PATH_CLEANUP,  /* index: the clean-up that runs; one next */
    PATH_HEAD      /* index: the scope whose loop starts a round; one next */
};

struct path_node {
    enum path_kind kind;
    uint32_t index;
    uint32_t *next;
    uint32_t next_count;
    bool is_cyclic; /* the walk came back to it without an await */
};

/* A place where walks end and start anew, so that what follows is drawn once. */
struct path_choice {
    uint32_t block;
    bool at_branch; /* in front of the block's terminator; else at its start */
};

struct path_request {
    const machine *m;
    /* [block]: indices, AIR_NONE: none */
    uint32_t *choice_at_start, *choice_at_branch, *cleanup_at, *loop_at;
};

struct path_request path_request_new(arena *mem, const machine *m,
                                     const struct path_choice *choices, uint32_t count);

typedef struct path_graph {
    VEC(struct path_node) nodes;
    uint32_t root;
} path_graph;

enum { PATH_WAY_UNKNOWN = UINT16_MAX };

enum path_start {
    PATH_ENTER_BLOCK, /* as a jump to the block does */
    PATH_WITHIN,      /* at an op of it */
    PATH_AT_BRANCH    /* behind a choice in front of its terminator */
};

struct path_position {
    uint32_t block, op;
    uint32_t way; /* the way out that clean-ups serve; 0: none */
};

path_graph path_walk(arena *mem, const struct path_request *request, enum path_start start,
                     struct path_position at);

/* One conjunction of answers that leads to a leaf. */
struct path_answer {
    uint32_t block;    /* whose branch */
    uint32_t *targets; /* the targets that lead on; more than one for several cases */
    uint32_t target_count;
    uint32_t of;   /* how many targets there are */
    bool is_guard; /* the other answer leads to one end at once */
};

struct path_case {
    struct path_answer *answers;
    uint32_t count;
};

typedef struct path_cases {
    VEC(struct path_case) all; /* no answers: always */
    bool is_cut;               /* there are more than the limit */
} path_cases;

/* The ways from the root to this kind of leaf, without what does not matter. */
path_cases path_cases_to(arena *mem, const path_graph *g, enum path_kind kind, uint32_t index,
                         uint32_t limit);

/* The indices of the inner nodes of one kind that lie on some way from the root to `leaf`, in
 * order; *count gets their number. */
uint32_t *path_passes(arena *mem, const path_graph *g, const struct path_node *leaf,
                      enum path_kind inner, uint32_t *count);

#endif
