/* SPDX-License-Identifier: MIT */
/*
 * What is there to draw? One function's state machine as nodes and edges with their texts, made
 * from what the lowering says of itself (ir/machine.h), before any format is chosen. Renderers
 * read it and decide nothing but looks.
 *
 *     start --> [1 READ] --n <= 0--> returned
 *                  |  ^
 *             else |  | loop (back edge)
 *                  v  |
 *               [2 WRITE_ALL]
 *
 * Nodes: start, one for each state, returned, cancelled, stopped (where something leads there), and
 * choices: places that several states reach and several leave, drawn once, so that the number of
 * edges stays small. A run of the program is a path, choices being passed on the way.
 */
#ifndef AWAITC_DIAGRAM_STATE_GRAPH_H
#define AWAITC_DIAGRAM_STATE_GRAPH_H

#include "analyzer/diagram/source_text.h"
#include "analyzer/ir/machine.h"

enum node_kind {
    NODE_START,
    NODE_STATE,
    NODE_LOOP,   /* a choice: the head of a loop */
    NODE_SWITCH, /* a choice: the dispatch of a switch */
    NODE_RETURNED,
    NODE_CANCELLED,
    NODE_STOPPED
};

/* What a linter says of a line of a function. */
struct graph_finding {
    const char *rule, *message, *file;
    uint32_t line;
};

/* A local that survives a state. */
struct kept_local {
    uint32_t local;
    const char *why; /* "read later", "its address is held by the callee", ... */
};

enum graph_change { CHANGE_NONE, CHANGE_ADDED, CHANGE_REMOVED, CHANGE_GROWN, CHANGE_SHRUNK };

struct state_node {
    enum node_kind kind;
    const char *id;       /* "start", "s3", "loop2": unique in the function, an identifier */
    const char *title;    /* "READ", "while (more)", "returned" */
    const char *text;     /* STATE: the await as written */
    const char *question; /* LOOP: what its head asks, "" of a loop without an end; else NULL */
    const char *what;     /* STATE: "io", "timer", "call", ...: what is awaited */
    const struct machine_state *state; /* STATE; NULL when it is only remembered (REMOVED) */
    uint32_t number;                   /* STATE */
    const struct source_text *file;
    uint32_t line, column, last_line;
    uint32_t scope; /* index into the machine's scopes, or AIR_NONE */
    bool is_reachable;
    VEC(struct kept_local) keeps;
    uint64_t kept_bytes;
    VEC(const struct graph_finding *) findings;
    enum graph_change change;
    uint64_t passes, suspensions; /* --run: how often a run came here, and waited here */
};

struct state_edge {
    uint32_t from, to; /* nodes */
    bool is_cancel, is_back;
    uint32_t back_scope;   /* is_back: the loop that starts another round */
    const char *label;     /* short; "" */
    const char *condition; /* in full; "": always */
    uint32_t *cleanups;    /* indices: what runs on the way, in order */
    uint32_t cleanup_count;
    uint64_t passes; /* --run */
};

typedef struct state_graph {
    arena *mem;
    const machine *m;
    source_table *sources;
    const char *name; /* NUL-terminated */
    const struct source_text *file;
    const char *signature;
    uint32_t line, last_line;
    VEC(struct state_node) nodes; /* start first; then states and choices in source order; ends */
    VEC(struct state_edge) edges; /* by from, to */
    const char **cleanup_text;    /* [clean-up]: "defer { ... }", "close_it(&fd)" */
    const char **scope_text;      /* [scope]: "for (;;)" */
    uint32_t *cleanup_line, *scope_line;
    VEC(struct graph_finding) findings;
    uint64_t old_frame_bytes; /* of --diff; 0: there was none */
    enum graph_change change;
    bool has_run; /* --run: passes are counted */
} state_graph;

/* The graph of an async function. */
state_graph *state_graph_build(arena *mem, const machine *m, source_table *sources);

/* Attaches a finding to the node that its line belongs to, or to the function. */
void state_graph_add_finding(state_graph *g, const struct graph_finding *finding);

/* The node of a state's number, or NULL. */
struct state_node *state_graph_state(const state_graph *g, uint32_t number);

/* "io", "timer", "join", ...: what kind of wait a state is. */
const char *await_kind(const struct machine_state *s);

/* Where a local lies: its slot, or NULL if it is not in the frame. */
const struct machine_slot *graph_slot(const machine *m, uint32_t local);

/* "never", "once", "12 times". */
const char *graph_times(arena *mem, uint64_t passes);

/* Of a state with has_run: "12 times, suspended once"; of another node without the second. */
const char *graph_passes(arena *mem, const struct state_node *n);

/* A local's name for people: "n"; a temporary of the tool's: "(temporary)". */
const char *graph_local_name(const machine *m, uint32_t local);

/* A function's frame and the room of what it awaits, which may stand inside the frame. */
static inline uint64_t frame_with_children(const machine *m)
{
    return m->need_bytes > m->frame_bytes ? m->need_bytes : m->frame_bytes;
}

#endif
