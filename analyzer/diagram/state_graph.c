/* SPDX-License-Identifier: MIT */
/*
 * Nodes and edges from the walks of state_paths.h: one walk from the start, from behind each await
 * and from each choice; one more along each cancel edge. A loop's head or a switch becomes a choice
 * where at least two nodes reach it and at least two leave it: tried with all, kept where it pays.
 */
#include "analyzer/diagram/state_graph.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyzer/base/check.h"
#include "analyzer/diagram/condition_text.h"
#include "analyzer/flow/across_await.h"
#include "analyzer/flow/cfg.h"

enum { LABEL_CASES = 12 };

struct choice {
    struct path_choice at;
    uint32_t scope; /* LOOP: its scope; SWITCH: the scope of its statement, or AIR_NONE */
    enum node_kind kind;
    uint32_t in, out, first_state;
};

struct builder {
    state_graph *g;
    arena *mem;
    const machine *m;
    VEC(struct choice) choices;
    struct path_request request;
    struct path_position *await_at; /* [state - 1] */
    uint32_t *await_cancel;         /* [state - 1]: block */
    bool *await_reachable;
    uint32_t *node_of_state, *node_of_choice; /* AIR_NONE */
    uint32_t node_of_end[3];                  /* returned, cancelled, stopped */
};

/* ---- small answers
 * ------------------------------------------------------------------------------ */

static const struct await_kind_line {
    const char *prefix, *kind;
} await_kinds[] = {
#define AWAIT_KIND(prefix, kind) {prefix, kind},
#include "analyzer/diagram/await_kinds.def"
#undef AWAIT_KIND
};

static const char *leaf_kind(strview name)
{
    const char *kind = "io";
    size_t longest = 0;
    for (size_t i = 0; i < COUNTOF(await_kinds); i++) {
        size_t len = strlen(await_kinds[i].prefix);
        if (len > longest && sv_starts(name, await_kinds[i].prefix)) {
            longest = len;
            kind = await_kinds[i].kind;
        }
    }
    return kind;
}

const char *await_kind(const struct machine_state *s)
{
    switch (s->kind) {
    case MACHINE_GROUP:
        return s->form + strlen("aw_");
    case MACHINE_POOL:
        return "pool";
    case MACHINE_SCOPE_ENTER:
    case MACHINE_SCOPE_LEAVE:
        return "scope";
    case MACHINE_CALL:
        break;
    }
    if (s->calls[0].kind == MACHINE_POINTER)
        return "pointer";
    return s->calls[0].kind == MACHINE_LEAF ? leaf_kind(s->calls[0].callee) : "call";
}

const struct machine_slot *graph_slot(const machine *m, uint32_t local)
{
    return m->slot_of[local] == AIR_NONE ? NULL : &m->slots[m->slot_of[local]];
}

const char *graph_local_name(const machine *m, uint32_t local)
{
    const struct air_local *l = &m->air->locals.at[local];
    if (m->is_made_temp[local])
        return "(temporary)";
    if (l->name.len == 0)
        return "(unnamed)";
    return m->local_names[local];
}

const char *graph_times(arena *mem, uint64_t passes)
{
    if (passes < 2)
        return passes == 0 ? "never" : "once";
    return arena_printf(mem, "%" PRIu64 " times", passes);
}

const char *graph_passes(arena *mem, const struct state_node *n)
{
    const char *passes = graph_times(mem, n->passes);
    if (n->kind != NODE_STATE || n->passes == 0)
        return passes;
    if (n->suspensions == 0)
        return arena_printf(mem, "%s, never suspended", passes);
    return arena_printf(mem, "%s, suspended %s", passes, graph_times(mem, n->suspensions));
}

struct state_node *state_graph_state(const state_graph *g, uint32_t number)
{
    for (size_t i = 0; i < g->nodes.count; i++) {
        if (g->nodes.at[i].state != NULL && g->nodes.at[i].number == number)
            return &g->nodes.at[i];
    }
    return NULL;
}

void state_graph_add_finding(state_graph *g, const struct graph_finding *finding)
{
    struct state_node *best = NULL;
    for (size_t i = 0; i < g->nodes.count; i++) {
        struct state_node *n = &g->nodes.at[i];
        if (n->kind == NODE_STATE && finding->line >= n->line && finding->line <= n->last_line)
            best = n;
    }
    VEC_PUSH(g->mem, &g->findings, *finding);
    if (best != NULL)
        VEC_PUSH(g->mem, &best->findings, arena_copy(g->mem, finding, sizeof *finding));
}

/* ---- where things are in the AIR
 * ---------------------------------------------------------------- */

static void find_awaits(struct builder *b)
{
    const air_func *fn = b->m->air;
    const cfg *flow = cfg_build(b->mem, fn);
    b->await_at = ARENA_ARRAY(b->mem, struct path_position, b->m->state_count + 1);
    b->await_cancel = ARENA_ARRAY(b->mem, uint32_t, b->m->state_count + 1);
    b->await_reachable = ARENA_ARRAY(b->mem, bool, b->m->state_count + 1);
    for (uint32_t i = 0; i < fn->blocks.count; i++) {
        for (uint32_t k = 0; k < fn->blocks.at[i].ops.count; k++) {
            const struct air_op *op = &fn->blocks.at[i].ops.at[k];
            if (op->kind != AIR_AWAIT)
                continue;
            bool leaves = b->m->states[op->await - 1].kind == MACHINE_SCOPE_LEAVE;
            b->await_at[op->await - 1] =
                (struct path_position){i, k + 1, leaves ? PATH_WAY_UNKNOWN : 0};
            b->await_cancel[op->await - 1] = op->cancel;
            b->await_reachable[op->await - 1] = cfg_is_reachable(flow, i);
        }
    }
}

/* Is `inner` the scope `outer`, or inside of it? */
static bool is_in_scope(const machine *m, uint32_t inner, uint32_t outer)
{
    for (; inner != AIR_NONE; inner = m->scopes[inner].parent) {
        if (inner == outer)
            return true;
    }
    return false;
}

/* ---- choices
 * ------------------------------------------------------------------------------------ */

static void add_candidates(struct builder *b)
{
    const machine *m = b->m;
    for (uint32_t i = 0; i < m->scope_count; i++) {
        if (m->scopes[i].block != AIR_NONE)
            VEC_PUSH(b->mem, &b->choices,
                     (struct choice){.at = {m->scopes[i].block, false},
                                     .scope = i,
                                     .kind = NODE_LOOP,
                                     .first_state = AIR_NONE});
    }
    for (uint32_t i = 0; i < m->air->blocks.count; i++) {
        if (m->branches[i].kind == MACHINE_SWITCH &&
            VEC_LAST(&m->air->blocks.at[i].ops).target_count > 2)
            VEC_PUSH(b->mem, &b->choices,
                     (struct choice){.at = {i, true},
                                     .scope = AIR_NONE,
                                     .kind = NODE_SWITCH,
                                     .first_state = AIR_NONE});
    }
}

static void request_choices(struct builder *b)
{
    struct path_choice *at = ARENA_ARRAY(b->mem, struct path_choice, b->choices.count + 1);
    for (size_t i = 0; i < b->choices.count; i++)
        at[i] = b->choices.at[i].at;
    b->request = path_request_new(b->mem, b->m, at, (uint32_t)b->choices.count);
}

static path_graph walk_from_choice(struct builder *b, uint32_t choice)
{
    const struct path_choice *at = &b->choices.at[choice].at;
    return path_walk(b->mem, &b->request, at->at_branch ? PATH_AT_BRANCH : PATH_WITHIN,
                     (struct path_position){at->block, 0, 0});
}

static path_graph walk_from_state(struct builder *b, uint32_t index)
{
    return path_walk(b->mem, &b->request, PATH_WITHIN, b->await_at[index]);
}

static path_graph walk_from_start(struct builder *b)
{
    return path_walk(b->mem, &b->request, PATH_ENTER_BLOCK, (struct path_position){0, 0, 0});
}

/* Counts what a walk leads to; returns the number of its leaves. */
static uint32_t count_leaves(struct builder *b, const path_graph *g, uint32_t *first_state)
{
    uint32_t count = 0;
    for (size_t i = 0; i < g->nodes.count; i++) {
        const struct path_node *n = &g->nodes.at[i];
        if (n->next_count != 0 || n->kind == PATH_NOWHERE)
            continue;
        count++;
        if (n->kind == PATH_CHOICE)
            b->choices.at[n->index].in++;
        if (n->kind == PATH_STATE && n->index < *first_state)
            *first_state = n->index;
    }
    return count;
}

/* Counts anew what leads to each choice and what each leads to. */
static void count_choices(struct builder *b)
{
    uint32_t ignored = AIR_NONE;
    request_choices(b);
    for (size_t i = 0; i < b->choices.count; i++) {
        b->choices.at[i].in = 0;
        b->choices.at[i].first_state = AIR_NONE;
    }
    path_graph g = walk_from_start(b);
    count_leaves(b, &g, &ignored);
    for (uint32_t i = 0; i < b->m->state_count; i++) {
        if (!b->await_reachable[i])
            continue;
        g = walk_from_state(b, i);
        count_leaves(b, &g, &ignored);
    }
    for (uint32_t i = 0; i < b->choices.count; i++) {
        g = walk_from_choice(b, i);
        b->choices.at[i].out = count_leaves(b, &g, &b->choices.at[i].first_state);
    }
}

/* Drops the choices with fewer than two ways in, or out; true if there were any. */
static bool drop_choices(struct builder *b, bool by_out)
{
    size_t kept = 0, count = b->choices.count;
    for (size_t i = 0; i < count; i++) {
        const struct choice *c = &b->choices.at[i];
        if ((by_out ? c->out : c->in) >= 2)
            b->choices.at[kept++] = *c;
    }
    b->choices.count = kept;
    return kept != count;
}

/* A choice that only leads to the next one goes first: what led to it then leads to that one, which
 * may have had no other way in. So a loop around a switch leaves the switch, and not a way from
 * each case to each other. */
static void choose(struct builder *b)
{
    add_candidates(b);
    do {
        count_choices(b);
    } while (drop_choices(b, true));
    drop_choices(b, false);
    count_choices(b);
}

/* ---- nodes
 * -------------------------------------------------------------------------------------- */

static uint32_t add_node(struct builder *b, struct state_node n)
{
    VEC_PUSH(b->mem, &b->g->nodes, n);
    return (uint32_t)b->g->nodes.count - 1;
}

static const char *why_text(uint8_t why)
{
    if ((why & ACROSS_HELD) != 0)
        return "lent to what is awaited";
    if ((why & ACROSS_ESCAPED) != 0)
        return "its address was taken";
    return "read later";
}

static void add_kept(struct builder *b, struct state_node *n)
{
    const struct machine_state *s = n->state;
    BITSET_FOR_EACH (local, s->keeps) {
        VEC_PUSH(b->mem, &n->keeps, (struct kept_local){local, why_text(s->why[local])});
        n->kept_bytes += b->m->air->locals.at[local].size_bytes;
    }
}

static void add_state(struct builder *b, uint32_t index)
{
    const struct machine_state *s = &b->m->states[index];
    struct state_node n = {.kind = NODE_STATE, .state = s, .number = s->number, .scope = s->scope};
    n.id = arena_printf(b->mem, "s%u", s->number);
    const char *title = strstr(s->name, "__");
    size_t prefix = b->m->name.len;
    n.title = title != NULL && strlen(s->name) > prefix + 2 ? s->name + prefix + 2 : s->name;
    n.text = source_snippet(b->g->sources, &s->text);
    n.what = await_kind(s);
    n.file = source_get(b->g->sources, s->text.begin.file);
    n.line = s->text.begin.line;
    n.column = s->text.begin.column;
    n.last_line = s->text.end.line >= n.line ? s->text.end.line : n.line;
    add_kept(b, &n);
    b->node_of_state[index] = add_node(b, n);
}

static const char *scope_title(struct builder *b, uint32_t scope)
{
    const struct machine_scope *s = &b->m->scopes[scope];
    const char *text = source_snippet(b->g->sources, &s->head);
    return s->kind == MACHINE_DO ? arena_printf(b->mem, "do \u2026 while (%s)", text) : text;
}

/* "keep_alive" of "while (keep_alive)"; "i < n" of a for; "" of for (;;). */
static const char *loop_question(arena *mem, const char *title)
{
    const char *open = strchr(title, '('), *close = strrchr(title, ')');
    if (open == NULL || close == NULL || close < open)
        return title;
    const char *inner = arena_strndup(mem, open + 1, (size_t)(close - open - 1));
    if (strncmp(title, "for", 3) != 0)
        return inner;
    const char *first = strchr(inner, ';'), *second = strrchr(inner, ';');
    if (first == NULL || second == first)
        return title;
    first++;
    while (first < second && *first == ' ')
        first++;
    return arena_strndup(mem, first, (size_t)(second - first));
}

static void add_choice(struct builder *b, uint32_t index)
{
    const struct choice *c = &b->choices.at[index];
    const machine *m = b->m;
    struct state_node n = {.kind = c->kind, .scope = c->scope};
    const struct machine_text *at = &m->branches[c->at.block].condition;
    if (c->kind == NODE_LOOP) {
        at = &m->scopes[c->scope].head;
        n.id = arena_printf(b->mem, "loop%u", c->scope + 1);
        n.title = scope_title(b, c->scope);
        n.question = m->scopes[c->scope].kind == MACHINE_DO ? "" : loop_question(b->mem, n.title);
    } else {
        n.id = arena_printf(b->mem, "switch%u", c->at.block);
        n.title = arena_printf(b->mem, "switch (%s)", source_snippet(b->g->sources, at));
        if (c->first_state != AIR_NONE)
            n.scope = m->states[c->first_state - 1].scope;
    }
    n.file = source_get(b->g->sources, at->begin.file);
    n.line = n.last_line = at->begin.line;
    n.column = at->begin.column;
    b->node_of_choice[index] = add_node(b, n);
}

/* States by number, each choice in front of the first state that it leads to. */
static void add_nodes(struct builder *b)
{
    b->node_of_state = ARENA_ARRAY(b->mem, uint32_t, b->m->state_count + 1);
    b->node_of_choice = ARENA_ARRAY(b->mem, uint32_t, b->choices.count + 1);
    struct state_node start = {.kind = NODE_START, .id = "start", .title = b->g->name};
    start.file = b->g->file;
    start.line = start.last_line = b->g->line;
    start.scope = AIR_NONE;
    add_node(b, start);
    for (uint32_t i = 0; i <= b->m->state_count; i++) {
        for (uint32_t k = 0; k < b->choices.count; k++) {
            uint32_t first = b->choices.at[k].first_state;
            if (first == AIR_NONE ? i == b->m->state_count : first == i + 1)
                add_choice(b, k);
        }
        if (i < b->m->state_count)
            add_state(b, i);
    }
}

static uint32_t end_node(struct builder *b, enum node_kind kind)
{
    static const char *const names[] = {"returned", "cancelled", "stopped"};
    uint32_t index = (uint32_t)(kind - NODE_RETURNED);
    if (b->node_of_end[index] == AIR_NONE) {
        struct state_node n = {.kind = kind, .id = names[index], .title = names[index]};
        n.file = b->g->file;
        n.line = n.last_line = b->g->last_line;
        n.scope = AIR_NONE;
        b->node_of_end[index] = add_node(b, n);
    }
    return b->node_of_end[index];
}

/* ---- edges
 * -------------------------------------------------------------------------------------- */

static uint32_t node_of_leaf(struct builder *b, const struct path_node *leaf)
{
    if (leaf->kind == PATH_STATE)
        return b->node_of_state[leaf->index - 1];
    if (leaf->kind == PATH_CHOICE)
        return b->node_of_choice[leaf->index];
    if (leaf->kind == PATH_RETURNED)
        return end_node(b, NODE_RETURNED);
    return end_node(b, leaf->kind == PATH_CANCELLED ? NODE_CANCELLED : NODE_STOPPED);
}

/* The loop around the node of which the way to the leaf starts another round, or AIR_NONE. */
static uint32_t loop_again(struct builder *b, const path_graph *g, const struct path_node *leaf,
                           uint32_t from)
{
    uint32_t count, scope = b->g->nodes.at[from].scope;
    const uint32_t *heads = path_passes(b->mem, g, leaf, PATH_HEAD, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (is_in_scope(b->m, scope, heads[i]))
            return heads[i];
    }
    if (leaf->kind != PATH_CHOICE || b->choices.at[leaf->index].kind != NODE_LOOP ||
        !is_in_scope(b->m, scope, b->choices.at[leaf->index].scope))
        return AIR_NONE;
    return b->choices.at[leaf->index].scope;
}

static void add_edges(struct builder *b, uint32_t from, const path_graph *g, bool is_cancel)
{
    for (size_t i = 0; i < g->nodes.count; i++) {
        const struct path_node leaf = g->nodes.at[i];
        if (leaf.next_count != 0 || leaf.kind == PATH_NOWHERE)
            continue;
        struct state_edge e = {.from = from, .is_cancel = is_cancel};
        e.to = node_of_leaf(b, &leaf);
        e.back_scope = is_cancel ? AIR_NONE : loop_again(b, g, &leaf, from);
        e.is_back = e.back_scope != AIR_NONE;
        path_cases cases = path_cases_to(b->mem, g, leaf.kind, leaf.index, LABEL_CASES);
        const char *question = b->g->nodes.at[from].question;
        e.label = condition_short(b->g->sources, b->m, &cases, question);
        e.condition = condition_full(b->g->sources, b->m, &cases);
        e.cleanups = path_passes(b->mem, g, &leaf, PATH_CLEANUP, &e.cleanup_count);
        VEC_PUSH(b->mem, &b->g->edges, e);
    }
}

static void add_cancel_edge(struct builder *b, uint32_t index)
{
    const struct machine_state *s = &b->m->states[index];
    uint32_t block = b->await_cancel[index], from = b->node_of_state[index];
    if (s->kind == MACHINE_SCOPE_LEAVE)
        return; /* it is the clean-up */
    if (block == AIR_NONE) {
        struct state_edge e = {.from = from, .is_cancel = true, .label = "", .condition = ""};
        e.to = end_node(b, NODE_CANCELLED);
        VEC_PUSH(b->mem, &b->g->edges, e);
        return;
    }
    path_graph g = path_walk(b->mem, &b->request, PATH_ENTER_BLOCK,
                             (struct path_position){block, 0, s->cancel_way});
    add_edges(b, from, &g, true);
}

static int by_ends(const void *left, const void *right)
{
    const struct state_edge *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->is_cancel != b->is_cancel)
        return a->is_cancel ? 1 : -1;
    return (a->to > b->to) - (a->to < b->to);
}

static void add_all_edges(struct builder *b)
{
    path_graph g = walk_from_start(b);
    add_edges(b, 0, &g, false);
    for (uint32_t i = 0; i < b->m->state_count; i++) {
        g = walk_from_state(b, i);
        add_edges(b, b->node_of_state[i], &g, false);
        add_cancel_edge(b, i);
    }
    for (uint32_t i = 0; i < b->choices.count; i++) {
        g = walk_from_choice(b, i);
        add_edges(b, b->node_of_choice[i], &g, false);
    }
    if (b->g->edges.count > 0)
        qsort(b->g->edges.at, b->g->edges.count, sizeof *b->g->edges.at, by_ends);
}

static void mark_reachable(state_graph *g)
{
    bool changed = true;
    g->nodes.at[0].is_reachable = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < g->edges.count; i++) {
            const struct state_edge *e = &g->edges.at[i];
            if (g->nodes.at[e->from].is_reachable && !g->nodes.at[e->to].is_reachable)
                g->nodes.at[e->to].is_reachable = changed = true;
        }
    }
}

/* ---- the function
 * -------------------------------------------------------------------------------- */

static void add_texts(struct builder *b)
{
    const machine *m = b->m;
    state_graph *g = b->g;
    g->cleanup_line = ARENA_ARRAY(b->mem, uint32_t, m->cleanup_count + 1);
    g->cleanup_text = ARENA_ARRAY(b->mem, const char *, m->cleanup_count + 1);
    for (uint32_t i = 0; i < m->cleanup_count; i++) {
        const struct machine_cleanup *c = &m->cleanups[i];
        g->cleanup_line[i] = c->text.begin.line;
        if (c->kind == MACHINE_DEFER)
            g->cleanup_text[i] =
                arena_printf(b->mem, "defer %s", source_snippet(g->sources, &c->text));
        else if (c->kind == MACHINE_VARIABLE)
            g->cleanup_text[i] =
                arena_printf(b->mem, "%.*s(&%.*s)", SV_ARG(c->function), SV_ARG(c->variable));
        else
            g->cleanup_text[i] =
                arena_printf(b->mem, "wait for the children of %.*s", SV_ARG(c->variable));
    }
    g->scope_text = ARENA_ARRAY(b->mem, const char *, m->scope_count + 1);
    g->scope_line = ARENA_ARRAY(b->mem, uint32_t, m->scope_count + 1);
    for (uint32_t i = 0; i < m->scope_count; i++) {
        g->scope_text[i] = scope_title(b, i);
        g->scope_line[i] = m->scopes[i].first_line;
    }
}

state_graph *state_graph_build(arena *mem, const machine *m, source_table *sources)
{
    struct builder b = {.mem = mem, .m = m};
    state_graph *g = ARENA_NEW(mem, state_graph);
    b.g = g;
    g->mem = mem;
    g->m = m;
    g->sources = sources;
    g->name = arena_strndup(mem, m->name.at, m->name.len);
    g->file = source_get(sources, m->place.file);
    g->signature = source_snippet(sources, &m->signature);
    g->line = m->place.line;
    g->last_line = m->end.line;
    for (int i = 0; i < 3; i++)
        b.node_of_end[i] = AIR_NONE;
    find_awaits(&b);
    choose(&b);
    add_texts(&b);
    add_nodes(&b);
    add_all_edges(&b);
    mark_reachable(g);
    return g;
}
