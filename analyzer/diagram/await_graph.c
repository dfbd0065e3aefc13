/* SPDX-License-Identifier: MIT */
/*
 * Functions are joined by name: a static one within its unit, others across units. The header of
 * several files may define the same static function; it is one node. Recursion is found as strongly
 * connected components (Tarjan), and deep sizes come bottom up in the same walk.
 */
#include "analyzer/diagram/await_graph.h"

#include <stdlib.h>

#include "analyzer/base/check.h"

struct join {
    await_graph *g;
    source_table *sources;
    uint32_t unit;
};

/* ---- nodes
 * -------------------------------------------------------------------------------------- */

static uint32_t add_node(struct join *j, struct await_node n)
{
    n.id = arena_printf(j->g->mem, "f%zu", j->g->nodes.count + 1);
    n.worst = AIR_NONE;
    VEC_PUSH(j->g->mem, &j->g->nodes, n);
    return (uint32_t)j->g->nodes.count - 1;
}

static bool is_same_definition(const struct await_node *n, const machine *m)
{
    return n->m != NULL && sv_is(m->name, n->name) && n->m->place.line == m->place.line &&
           n->m->place.file != NULL && m->place.file != NULL &&
           strcmp(n->m->place.file, m->place.file) == 0;
}

static void add_function(struct join *j, const machine *m)
{
    for (size_t i = 0; i < j->g->nodes.count; i++) {
        if (is_same_definition(&j->g->nodes.at[i], m))
            return;
    }
    struct await_node n = {.kind = m->is_async ? AWAIT_ASYNC : AWAIT_PLAIN, .m = m};
    n.name = arena_strndup(j->g->mem, m->name.at, m->name.len);
    n.unit = j->unit;
    n.file = source_get(j->sources, m->place.file);
    n.line = m->place.line;
    n.own_bytes = m->frame_bytes;
    add_node(j, n);
}

static uint32_t find_defined(const struct join *j, strview name, bool is_static)
{
    uint32_t found = AIR_NONE;
    for (uint32_t i = 0; i < j->g->nodes.count; i++) {
        const struct await_node *n = &j->g->nodes.at[i];
        if (n->m == NULL || !sv_is(name, n->name))
            continue;
        if (n->unit == j->unit)
            return i;
        if (!n->m->is_static || is_static)
            found = i; /* a static one of a header, seen with another unit first */
    }
    return found;
}

static uint32_t find_callee(struct join *j, const struct machine_call *call)
{
    static const enum await_node_kind kinds[] = {[MACHINE_STATIC] = AWAIT_UNDEFINED,
                                                 [MACHINE_EXTERN] = AWAIT_UNDEFINED,
                                                 [MACHINE_LEAF] = AWAIT_LEAF,
                                                 [MACHINE_POINTER] = AWAIT_POINTER};
    uint32_t found = AIR_NONE;
    if (call->kind == MACHINE_STATIC || call->kind == MACHINE_EXTERN)
        found = find_defined(j, call->callee, call->kind == MACHINE_STATIC);
    for (uint32_t i = 0; found == AIR_NONE && i < j->g->nodes.count; i++) {
        const struct await_node *n = &j->g->nodes.at[i];
        if (n->m == NULL && n->kind == kinds[call->kind] && sv_is(call->callee, n->name))
            found = i;
    }
    if (found != AIR_NONE)
        return found;
    struct await_node n = {.kind = kinds[call->kind], .own_bytes = call->need_bytes};
    n.name = arena_strndup(j->g->mem, call->callee.at, call->callee.len);
    n.deep_bytes = call->need_bytes;
    n.is_at_least = call->kind != MACHINE_LEAF;
    if (n.kind == AWAIT_LEAF) {
        struct machine_state s = {.calls = (struct machine_call *)(uintptr_t)call};
        n.what = await_kind(&s);
    }
    return add_node(j, n);
}

/* ---- edges
 * -------------------------------------------------------------------------------------- */

/* Plain awaits first, then groups by their name. */
static int by_form(const struct await_edge *a, const struct await_edge *b)
{
    return strcmp(a->form != NULL ? a->form : "", b->form != NULL ? b->form : "");
}

static void add_edge(struct join *j, struct await_edge e)
{
    for (size_t i = 0; i < j->g->edges.count; i++) {
        struct await_edge *known = &j->g->edges.at[i];
        if (known->from == e.from && known->to == e.to && known->kind == e.kind &&
            by_form(known, &e) == 0) {
            known->count++;
            return;
        }
    }
    e.count = 1;
    VEC_PUSH(j->g->mem, &j->g->edges, e);
}

static void add_pool(struct join *j, uint32_t from, const struct machine_state *s)
{
    struct machine_call call = {.kind = MACHINE_LEAF, .callee = sv_from(s->form)};
    call.need_bytes = s->room_bytes;
    call.place = s->text.begin;
    uint32_t to = find_callee(j, &call);
    j->g->nodes.at[to].what = s->kind == MACHINE_POOL ? "pool" : "scope";
    add_edge(j, (struct await_edge){.from = from,
                                    .to = to,
                                    .kind = EDGE_AWAIT,
                                    .is_embedded = true,
                                    .first_line = s->text.begin.line});
}

static void add_awaits(struct join *j, uint32_t from, const struct machine_state *states,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct machine_state *s = &states[i];
        if (s->kind == MACHINE_POOL || s->kind == MACHINE_SCOPE_ENTER ||
            s->kind == MACHINE_SCOPE_LEAVE)
            add_pool(j, from, s);
        for (uint32_t k = 0; k < s->call_count; k++)
            add_edge(j, (struct await_edge){.from = from,
                                            .to = find_callee(j, &s->calls[k]),
                                            .kind = EDGE_AWAIT,
                                            .form = s->kind == MACHINE_GROUP ? s->form : NULL,
                                            .is_embedded = s->calls[k].is_measured,
                                            .first_line = s->text.begin.line});
    }
}

static void add_spawns(struct join *j, uint32_t from, const machine *m)
{
    for (uint32_t i = 0; i < m->spawn_count; i++) {
        const struct machine_spawn *s = &m->spawns[i];
        add_edge(
            j, (struct await_edge){.from = from,
                                   .to = find_callee(j, &s->call),
                                   .kind = s->kind == MACHINE_BLOCK_ON ? EDGE_BLOCK_ON : EDGE_SPAWN,
                                   .first_line = s->text.begin.line});
    }
}

static int by_ends(const void *left, const void *right)
{
    const struct await_edge *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return a->kind != b->kind ? (a->kind > b->kind) - (a->kind < b->kind) : by_form(a, b);
}

/* ---- recursion and sizes
 * ------------------------------------------------------------------------ */

struct tarjan {
    struct join *j;
    uint32_t *number, *low, *stack; /* number 0: not visited */
    bool *on_stack;
    uint32_t next, depth;
};

/* What one await may need: the room set aside, and what its callees need beyond what they got. */
static uint64_t need_of(struct join *j, const struct machine_state *s, uint32_t *worst,
                        bool *at_least)
{
    uint64_t bytes = s->room_bytes, most = 0;
    for (uint32_t k = 0; k < s->call_count; k++) {
        uint32_t to = find_callee(j, &s->calls[k]);
        const struct await_node *n = &j->g->nodes.at[to];
        if (n->deep_bytes > s->calls[k].need_bytes)
            bytes += n->deep_bytes - s->calls[k].need_bytes;
        *at_least |= n->is_at_least;
        if (n->deep_bytes >= most && n->m != NULL) {
            most = n->deep_bytes;
            *worst = to;
        }
    }
    return bytes;
}

static void find_deep(struct join *j, uint32_t index)
{
    const machine *m = j->g->nodes.at[index].m;
    uint64_t most = 0;
    if (m == NULL || !m->is_async)
        return;
    j->unit = j->g->nodes.at[index].unit;
    for (uint32_t i = 0; i < m->state_count + m->plain_call_count; i++) {
        const struct machine_state *s =
            i < m->state_count ? &m->states[i] : &m->plain_calls[i - m->state_count];
        uint32_t worst = AIR_NONE;
        bool at_least = false;
        uint64_t bytes = need_of(j, s, &worst, &at_least);
        struct await_node *n = &j->g->nodes.at[index];
        n->is_at_least |= at_least;
        if (bytes > most) {
            most = bytes;
            n->worst = worst;
        }
    }
    struct await_node *n = &j->g->nodes.at[index];
    /* the need has the callees' room in it, which may stand inside the frame */
    n->deep_bytes = m->need_bytes + (most > m->child_bytes ? most - m->child_bytes : 0);
}

static void pop_component(struct tarjan *t, uint32_t root)
{
    await_graph *g = t->j->g;
    uint32_t first = t->depth;
    while (t->stack[--first] != root) {
    }
    bool is_cycle = t->depth - first > 1;
    for (size_t i = 0; i < g->edges.count; i++)
        is_cycle |= g->edges.at[i].kind == EDGE_AWAIT && g->edges.at[i].from == root &&
                    g->edges.at[i].to == root;
    g->cycle_count += is_cycle;
    for (uint32_t i = first; i < t->depth; i++) {
        struct await_node *n = &g->nodes.at[t->stack[i]];
        t->on_stack[t->stack[i]] = false;
        n->cycle = is_cycle ? g->cycle_count : 0;
        n->is_unbounded |= is_cycle;
        find_deep(t->j, t->stack[i]);
    }
    for (uint32_t i = first; i < t->depth; i++) { /* all of them reach what one reaches */
        for (size_t e = 0; e < g->edges.count; e++) {
            if (g->edges.at[e].kind == EDGE_AWAIT && g->edges.at[e].from == t->stack[i])
                g->nodes.at[t->stack[i]].is_unbounded |=
                    g->nodes.at[g->edges.at[e].to].is_unbounded;
        }
    }
    t->depth = first;
}

static void visit(struct tarjan *t, uint32_t node)
{
    await_graph *g = t->j->g;
    t->number[node] = t->low[node] = ++t->next;
    t->stack[t->depth++] = node;
    t->on_stack[node] = true;
    for (size_t i = 0; i < g->edges.count; i++) {
        const struct await_edge *e = &g->edges.at[i];
        if (e->from != node || e->kind != EDGE_AWAIT)
            continue;
        if (t->number[e->to] == 0)
            visit(t, e->to);
        if (t->on_stack[e->to] && t->low[e->to] < t->low[node])
            t->low[node] = t->low[e->to];
    }
    if (t->low[node] == t->number[node])
        pop_component(t, node);
}

static void find_cycles(struct join *j)
{
    size_t count = j->g->nodes.count;
    struct tarjan t = {.j = j};
    t.number = ARENA_ARRAY(j->g->mem, uint32_t, count + 1);
    t.low = ARENA_ARRAY(j->g->mem, uint32_t, count + 1);
    t.stack = ARENA_ARRAY(j->g->mem, uint32_t, count + 1);
    t.on_stack = ARENA_ARRAY(j->g->mem, bool, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (t.number[i] == 0)
            visit(&t, i);
    }
}

await_graph *await_graph_build(arena *mem, const machine_list *units, uint32_t unit_count,
                               source_table *sources)
{
    await_graph *g = ARENA_NEW(mem, await_graph);
    struct join j = {.g = g, .sources = sources};
    g->mem = mem;
    for (j.unit = 0; j.unit < unit_count; j.unit++) {
        for (uint32_t i = 0; i < units[j.unit].count; i++)
            add_function(&j, units[j.unit].at[i]);
    }
    for (uint32_t i = 0, defined = (uint32_t)g->nodes.count; i < defined; i++) {
        const machine *m = g->nodes.at[i].m;
        j.unit = g->nodes.at[i].unit;
        add_awaits(&j, i, m->states, m->state_count);
        add_awaits(&j, i, m->plain_calls, m->plain_call_count);
        add_spawns(&j, i, m);
    }
    if (g->edges.count > 0)
        qsort(g->edges.at, g->edges.count, sizeof *g->edges.at, by_ends);
    find_cycles(&j);
    /* padding behind a frame's last member needs no room, but is part of its size */
    for (size_t i = 0; i < g->nodes.count; i++) {
        struct await_node *n = &g->nodes.at[i];
        n->deep_bytes = n->deep_bytes < n->own_bytes ? n->own_bytes : n->deep_bytes;
    }
    return g;
}

void await_graph_add_finding(await_graph *g, const struct graph_finding *finding)
{
    for (size_t i = 0; i < g->nodes.count; i++) {
        struct await_node *n = &g->nodes.at[i];
        if (n->m == NULL || finding->file == NULL || strcmp(n->file->path, finding->file) != 0 ||
            finding->line < n->line || finding->line > n->m->end.line)
            continue;
        VEC_PUSH(g->mem, &n->findings, arena_copy(g->mem, finding, sizeof *finding));
        n->may_block |= strstr(finding->rule, "blocking-call") != NULL;
    }
}

const char *await_graph_worst_way(const await_graph *g, uint32_t node)
{
    strbuf out = strbuf_in(g->mem);
    uint32_t steps = 0;
    for (uint32_t i = node; i != AIR_NONE && steps < 64; i = g->nodes.at[i].worst, steps++) {
        strbuf_fmt(&out, "%s%s", steps > 0 ? " > " : "", g->nodes.at[i].name);
        if (g->nodes.at[i].cycle != 0 && steps > 0) {
            strbuf_str(&out, " > \u2026");
            break;
        }
    }
    return strbuf_text(&out);
}
