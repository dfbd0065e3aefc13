/* SPDX-License-Identifier: MIT */
/*
 * All that is known, for programs: docs/graph.schema.json describes it. One value a line where it
 * helps a diff; all views, whatever is asked for.
 */
#include <inttypes.h>

#include "analyzer/diagram/frame_table.h"
#include "analyzer/diagram/graph_set.h"
#include "analyzer/diagram/json_text.h"

/* ", " behind a value on the same line. */
static void separate(strbuf *out)
{
    if (out->len > 0 && strchr("{[\n ", out->at[out->len - 1]) == NULL)
        strbuf_str(out, ", ");
}

/* A member's name; its value follows. */
static void key(strbuf *out, const char *name)
{
    separate(out);
    strbuf_fmt(out, "\"%s\": ", name);
}

static void field(strbuf *out, const char *name, const char *text)
{
    key(out, name);
    json_quote(out, text);
}

static void number(strbuf *out, const char *name, uint64_t value)
{
    key(out, name);
    strbuf_fmt(out, "%" PRIu64, value);
}

static void truth(strbuf *out, const char *name, bool value)
{
    key(out, name);
    strbuf_str(out, value ? "true" : "false");
}

static void list(strbuf *out, const char *name)
{
    key(out, name);
    strbuf_char(out, '[');
}

/* Begins an element of a list on its line. */
static void object(strbuf *out)
{
    separate(out);
    strbuf_char(out, '{');
}

/* Between elements that have a line each. */
static const char *line_end(size_t index, size_t count)
{
    return index + 1 < count ? ",\n" : "\n";
}

static const char *change_name(enum graph_change change)
{
    static const char *const names[] = {[CHANGE_NONE] = "none",
                                        [CHANGE_ADDED] = "added",
                                        [CHANGE_REMOVED] = "removed",
                                        [CHANGE_GROWN] = "grown",
                                        [CHANGE_SHRUNK] = "shrunk"};
    return names[change];
}

/* ---- the frame
 * ---------------------------------------------------------------------------------- */

static void row(const struct frame_row *r, strbuf *out)
{
    static const char *const kinds[] = {
        [ROW_FIELD] = "field", [ROW_LOCAL] = "local", [ROW_PADDING] = "padding"};
    strbuf_str(out, "      {");
    number(out, "offset", r->offset_bytes);
    number(out, "size", r->size_bytes);
    field(out, "kind", kinds[r->kind]);
    field(out, "name", r->name);
    if (r->kind != ROW_PADDING)
        field(out, "type", r->type);
    if (r->kind == ROW_LOCAL) {
        number(out, "line", r->line);
        field(out, "place", r->is_resident ? "resident" : "spilled");
        truth(out, "shares", r->sharers > 1);
        list(out, "states");
        BITSET_FOR_EACH (i, &r->alive) {
            separate(out);
            strbuf_fmt(out, "%u", i + 1);
        }
        strbuf_char(out, ']');
        field(out, "why", r->why == NULL ? "" : r->why);
    }
    strbuf_char(out, '}');
}

static void frame(const state_graph *g, strbuf *out)
{
    frame_table t = frame_table_build(g);
    strbuf_str(out, "    \"frame\": {");
    number(out, "bytes", g->m->frame_bytes);
    number(out, "align", g->m->frame_align_bytes);
    number(out, "child_bytes", g->m->child_bytes);
    number(out, "need_bytes", g->m->need_bytes);
    number(out, "padding_bytes", t.padding_bytes);
    number(out, "worst_state", t.worst_state);
    if (g->old_frame_bytes != 0)
        number(out, "old_bytes", g->old_frame_bytes);
    list(out, "rows");
    strbuf_char(out, '\n');
    for (size_t i = 0; i < t.rows.count; i++) {
        row(&t.rows.at[i], out);
        strbuf_str(out, line_end(i, t.rows.count));
    }
    strbuf_str(out, "    ]},\n");
}

/* ---- states
 * ------------------------------------------------------------------------------------- */

static const char *node_kind_name(enum node_kind kind)
{
    static const char *const names[] = {
        [NODE_START] = "start",    [NODE_STATE] = "state",       [NODE_LOOP] = "loop",
        [NODE_SWITCH] = "switch",  [NODE_RETURNED] = "returned", [NODE_CANCELLED] = "cancelled",
        [NODE_STOPPED] = "stopped"};
    return names[kind];
}

static void calls_of(const struct machine_state *s, strbuf *out)
{
    static const char *const kinds[] = {[MACHINE_STATIC] = "function",
                                        [MACHINE_EXTERN] = "function",
                                        [MACHINE_LEAF] = "leaf",
                                        [MACHINE_POINTER] = "pointer"};
    list(out, "calls");
    for (uint32_t i = 0; i < s->call_count; i++) {
        object(out);
        key(out, "callee");
        json_quote_view(out, s->calls[i].callee);
        field(out, "kind", kinds[s->calls[i].kind]);
        number(out, "need_bytes", s->calls[i].need_bytes);
        strbuf_char(out, '}');
    }
    strbuf_char(out, ']');
}

static void kept(const state_graph *g, const struct state_node *n, strbuf *out)
{
    list(out, "keeps");
    for (size_t i = 0; i < n->keeps.count; i++) {
        const struct kept_local *k = &n->keeps.at[i];
        const struct machine_slot *slot = graph_slot(g->m, k->local);
        object(out);
        field(out, "name", graph_local_name(g->m, k->local));
        number(out, "offset", slot == NULL ? 0 : slot->offset_bytes);
        number(out, "size", g->m->air->locals.at[k->local].size_bytes);
        field(out, "why", k->why);
        strbuf_char(out, '}');
    }
    strbuf_char(out, ']');
}

static void state_part(const state_graph *g, const struct state_node *n, strbuf *out)
{
    number(out, "number", n->number);
    field(out, "what", n->what == NULL ? "" : n->what);
    field(out, "text", n->text == NULL ? "" : n->text);
    number(out, "kept_bytes", n->kept_bytes);
    if (n->state == NULL)
        return;
    number(out, "room_bytes", n->state->room_bytes);
    calls_of(n->state, out);
    kept(g, n, out);
}

static void findings(const struct state_node *n, strbuf *out)
{
    if (n->findings.count == 0)
        return;
    list(out, "findings");
    for (size_t i = 0; i < n->findings.count; i++) {
        object(out);
        field(out, "rule", n->findings.at[i]->rule);
        field(out, "message", n->findings.at[i]->message);
        strbuf_char(out, '}');
    }
    strbuf_char(out, ']');
}

static void node(const state_graph *g, const struct state_node *n, strbuf *out)
{
    strbuf_str(out, "      {");
    field(out, "id", n->id);
    field(out, "kind", node_kind_name(n->kind));
    field(out, "title", n->title);
    field(out, "file", n->file == NULL ? "" : n->file->shown);
    number(out, "line", n->line);
    number(out, "column", n->column);
    truth(out, "reachable", n->is_reachable);
    if (n->scope != AIR_NONE)
        number(out, "scope", n->scope);
    if (n->kind == NODE_STATE)
        state_part(g, n, out);
    findings(n, out);
    if (g->has_run)
        number(out, "passes", n->passes);
    if (g->has_run && n->kind == NODE_STATE)
        number(out, "suspensions", n->suspensions);
    if (n->change != CHANGE_NONE)
        field(out, "change", change_name(n->change));
    strbuf_char(out, '}');
}

static void edge(const state_graph *g, const struct state_edge *e, strbuf *out)
{
    strbuf_str(out, "      {");
    field(out, "from", g->nodes.at[e->from].id);
    field(out, "to", g->nodes.at[e->to].id);
    field(out, "when", e->condition);
    truth(out, "back", e->is_back);
    truth(out, "cancel", e->is_cancel);
    list(out, "cleanups");
    for (uint32_t i = 0; i < e->cleanup_count; i++) {
        separate(out);
        json_quote(out, g->cleanup_text[e->cleanups[i]]);
    }
    strbuf_char(out, ']');
    if (g->has_run)
        number(out, "passes", e->passes);
    strbuf_char(out, '}');
}

static void scopes(const state_graph *g, strbuf *out)
{
    strbuf_str(out, "    \"scopes\": [");
    for (uint32_t i = 0; i < g->m->scope_count; i++) {
        strbuf_str(out, i > 0 ? ",\n      {" : "\n      {");
        field(out, "text", g->scope_text[i]);
        number(out, "line", g->scope_line[i]);
        number(out, "last_line", g->m->scopes[i].last_line);
        if (g->m->scopes[i].parent != AIR_NONE)
            number(out, "parent", g->m->scopes[i].parent);
        strbuf_char(out, '}');
    }
    strbuf_str(out, g->m->scope_count > 0 ? "\n    ]\n" : "]\n");
}

static void function(const state_graph *g, strbuf *out)
{
    strbuf_str(out, "  {");
    field(out, "name", g->name);
    field(out, "file", g->file->shown);
    number(out, "line", g->line);
    number(out, "last_line", g->last_line);
    strbuf_str(out, ",\n    ");
    field(out, "signature", g->signature);
    truth(out, "static", g->m->is_static);
    truth(out, "made_by_awaitc", g->m->is_made);
    if (g->change != CHANGE_NONE)
        field(out, "change", change_name(g->change));
    strbuf_str(out, ",\n");
    frame(g, out);
    strbuf_str(out, "    \"nodes\": [\n");
    for (size_t i = 0; i < g->nodes.count; i++) {
        node(g, &g->nodes.at[i], out);
        strbuf_str(out, line_end(i, g->nodes.count));
    }
    strbuf_str(out, "    ],\n    \"edges\": [\n");
    for (size_t i = 0; i < g->edges.count; i++) {
        edge(g, &g->edges.at[i], out);
        strbuf_str(out, line_end(i, g->edges.count));
    }
    strbuf_str(out, "    ],\n");
    scopes(g, out);
    strbuf_str(out, "  }");
}

/* ---- calls
 * -------------------------------------------------------------------------------------- */

static void call_node(const await_graph *calls, uint32_t index, strbuf *out)
{
    static const char *const kinds[] = {[AWAIT_ASYNC] = "async",
                                        [AWAIT_PLAIN] = "plain",
                                        [AWAIT_UNDEFINED] = "undefined",
                                        [AWAIT_LEAF] = "leaf",
                                        [AWAIT_POINTER] = "pointer"};
    const struct await_node *n = &calls->nodes.at[index];
    strbuf_str(out, "    {");
    field(out, "id", n->id);
    field(out, "kind", kinds[n->kind]);
    field(out, "name", n->name);
    if (n->m != NULL) {
        field(out, "file", n->file->shown);
        number(out, "line", n->line);
    }
    if (n->kind == AWAIT_ASYNC) {
        number(out, "states", n->m->state_count);
        number(out, "own_bytes", n->own_bytes);
        number(out, "deep_bytes", n->deep_bytes);
        truth(out, "unbounded", n->is_unbounded);
        truth(out, "at_least", n->is_at_least);
        field(out, "worst_way", await_graph_worst_way(calls, index));
    }
    if (n->cycle != 0)
        number(out, "recursion", n->cycle);
    truth(out, "may_block", n->may_block);
    if (n->blocks_in != NULL)
        field(out, "blocks_in", n->blocks_in);
    strbuf_char(out, '}');
}

static void call_edge(const await_graph *calls, const struct await_edge *e, strbuf *out)
{
    static const char *const kinds[] = {
        [EDGE_AWAIT] = "await", [EDGE_SPAWN] = "spawn", [EDGE_BLOCK_ON] = "block_on"};
    strbuf_str(out, "    {");
    field(out, "from", calls->nodes.at[e->from].id);
    field(out, "to", calls->nodes.at[e->to].id);
    field(out, "kind", kinds[e->kind]);
    number(out, "count", e->count);
    field(out, "form", e->form == NULL ? "" : e->form);
    truth(out, "embedded", e->is_embedded);
    number(out, "line", e->first_line);
    strbuf_char(out, '}');
}

static void calls_part(const await_graph *calls, strbuf *out)
{
    strbuf_str(out, "\"calls\": {\"nodes\": [\n");
    for (uint32_t i = 0; i < calls->nodes.count; i++) {
        call_node(calls, i, out);
        strbuf_str(out, line_end(i, calls->nodes.count));
    }
    strbuf_str(out, "  ], \"edges\": [\n");
    for (size_t i = 0; i < calls->edges.count; i++) {
        call_edge(calls, &calls->edges.at[i], out);
        strbuf_str(out, line_end(i, calls->edges.count));
    }
    strbuf_str(out, "  ]}\n");
}

void graph_json(const graph_set *set, strbuf *out)
{
    strbuf_str(out, "{\"format\": \"awaitc-graph\", \"version\": 1,\n\"functions\": [\n");
    for (uint32_t i = 0; i < set->function_count; i++) {
        function(set->functions[i], out);
        strbuf_str(out, line_end(i, set->function_count));
    }
    strbuf_str(out, "],\n");
    if (set->is_diff) {
        strbuf_str(out, "\"removed\": [");
        for (size_t i = 0; i < set->removed.count; i++) {
            strbuf_str(out, i > 0 ? ", " : "");
            json_quote(out, set->removed.at[i]);
        }
        strbuf_str(out, "],\n");
    }
    calls_part(set->calls, out);
    strbuf_str(out, "}\n");
}
