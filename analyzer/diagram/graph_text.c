/* SPDX-License-Identifier: MIT */
/*
 * Pictures for terminals and logs: states with what leads on from each, a frame as a table with one
 * column a state, calls as an indented tree.
 */
#include <inttypes.h>

#include "analyzer/diagram/frame_table.h"
#include "analyzer/diagram/graph_set.h"

enum { BAR_STATES = 40 }; /* a frame's table has a column for each state up to here */

/* Pads to `width` characters, not bytes. */
static void padded(strbuf *out, const char *text, int width)
{
    strbuf_str(out, text);
    for (const char *c = text; *c != '\0'; c++)
        width -= ((unsigned char)*c & 0xc0) != 0x80;
    for (; width > 0; width--)
        strbuf_char(out, ' ');
}

static const char *change_sign(enum graph_change change)
{
    static const char *const signs[] = {[CHANGE_NONE] = "",
                                        [CHANGE_ADDED] = "+ ",
                                        [CHANGE_REMOVED] = "- ",
                                        [CHANGE_GROWN] = "> ",
                                        [CHANGE_SHRUNK] = "< "};
    return signs[change];
}

static void function_head(const state_graph *g, strbuf *out)
{
    strbuf_fmt(out, "%s%s  %s:%u  %u state%s, frame %" PRIu64 " B, with children %" PRIu64 " B",
               change_sign(g->change), g->name, g->file->shown, g->line, g->m->state_count,
               g->m->state_count == 1 ? "" : "s", g->m->frame_bytes, frame_with_children(g->m));
    if (g->old_frame_bytes != 0 && g->old_frame_bytes != g->m->frame_bytes)
        strbuf_fmt(out, " (frame was %" PRIu64 " B)", g->old_frame_bytes);
    strbuf_char(out, '\n');
    for (size_t i = 0; i < g->findings.count; i++)
        strbuf_fmt(out, "  ! :%u %s [%s]\n", g->findings.at[i].line, g->findings.at[i].message,
                   g->findings.at[i].rule);
}

/* ---- states
 * ------------------------------------------------------------------------------------- */

static const char *node_name(const state_graph *g, const struct state_node *n)
{
    if (n->kind == NODE_STATE)
        return arena_printf(g->mem, "%u %s", n->number, n->title);
    return n->kind == NODE_START ? "start" : n->title;
}

static void edge_line(const state_graph *g, const struct state_edge *e, strbuf *out)
{
    strbuf_fmt(out, "      %s ", e->is_cancel ? "~>" : e->is_back ? "^>" : "->");
    const char *to = node_name(g, &g->nodes.at[e->to]);
    if (e->condition[0] == '\0' && e->cleanup_count == 0)
        strbuf_str(out, to);
    else
        padded(out, to, 22);
    for (const char *c = e->condition; *c != '\0'; c++) {
        if (c == e->condition)
            strbuf_str(out, "  if ");
        strbuf_char(out, *c == '\n' ? ' ' : *c);
    }
    for (uint32_t i = 0; i < e->cleanup_count; i++)
        strbuf_fmt(out, "  %s %s", i == 0 ? "runs" : "then", g->cleanup_text[e->cleanups[i]]);
    if (g->has_run)
        strbuf_fmt(out, "  (%s)", graph_times(g->mem, e->passes));
    strbuf_char(out, '\n');
}

static void kept_line(const state_graph *g, const struct kept_local *k, strbuf *out)
{
    const struct air_local *l = &g->m->air->locals.at[k->local];
    const struct machine_slot *slot = graph_slot(g->m, k->local);
    strbuf_str(out, "      keeps ");
    padded(out, graph_local_name(g->m, k->local), 16);
    strbuf_fmt(out, " %6" PRIu64 " B", l->size_bytes);
    if (slot != NULL)
        strbuf_fmt(out, " at %-6" PRIu64, slot->offset_bytes);
    strbuf_fmt(out, "  %.*s  (%s)\n", SV_ARG(l->type), k->why);
}

static void state_lines(const graph_set *set, const state_graph *g, const struct state_node *n,
                        strbuf *out)
{
    strbuf_fmt(out, "  %s%s", change_sign(n->change), node_name(g, n));
    if (n->kind == NODE_STATE)
        strbuf_fmt(out, "  [%s]  :%u  %s%s", n->what, n->line, n->text,
                   n->is_reachable ? "" : "  (cannot be reached)");
    else if (n->kind == NODE_LOOP || n->kind == NODE_SWITCH)
        strbuf_fmt(out, "  :%u", n->line);
    if (g->has_run)
        strbuf_fmt(out, "  (%s)", graph_passes(g->mem, n));
    strbuf_char(out, '\n');
    for (size_t i = 0; i < n->findings.count; i++)
        strbuf_fmt(out, "      ! %s [%s]\n", n->findings.at[i]->message, n->findings.at[i]->rule);
    for (size_t i = 0; set->show_locals && i < n->keeps.count; i++)
        kept_line(g, &n->keeps.at[i], out);
    size_t index = (size_t)(n - g->nodes.at);
    for (size_t i = 0; i < g->edges.count; i++) {
        const struct state_edge *e = &g->edges.at[i];
        if (e->from == index && (set->show_cancel || !e->is_cancel))
            edge_line(g, e, out);
    }
}

static void states_view(const graph_set *set, const state_graph *g, strbuf *out)
{
    function_head(g, out);
    for (size_t i = 0; i < g->nodes.count; i++) {
        const struct state_node *n = &g->nodes.at[i];
        bool outside = n->kind == NODE_STATE && set->last_state != 0 &&
                       (n->number < set->first_state || n->number > set->last_state);
        if (n->kind < NODE_RETURNED && !outside)
            state_lines(set, g, n, out);
    }
}

/* ---- the frame
 * ---------------------------------------------------------------------------------- */

static void row_line(const state_graph *g, const struct frame_row *r, strbuf *out)
{
    bool later = r->kind == ROW_LOCAL && !r->is_first_sharer;
    if (later)
        padded(out, "             \u2514", 17);
    else
        strbuf_fmt(out, "  %6" PRIu64 " %6" PRIu64 "  ", r->offset_bytes, r->slot_bytes);
    padded(out, r->name, 18);
    padded(out, source_shorten(g->mem, r->type, 26), 27);
    if (r->kind == ROW_LOCAL) {
        for (uint32_t i = 0; i < g->m->state_count && i < BAR_STATES; i++)
            strbuf_str(out, bitset_has(&r->alive, i) ? "\u2588" : "\u00b7");
        if (r->keeper != 0)
            strbuf_fmt(out, "  kept by %u (:%u): %s", r->keeper,
                       state_graph_state(g, r->keeper)->line, r->why);
        if (r->sharers > 1 && r->is_first_sharer)
            strbuf_fmt(out, "; %u share the slot", r->sharers);
    }
    while (out->len > 0 && out->at[out->len - 1] == ' ')
        out->len--;
    strbuf_char(out, '\n');
}

static void frame_view(const state_graph *g, strbuf *out)
{
    frame_table t = frame_table_build(g);
    function_head(g, out);
    strbuf_str(out, "  offset   size  name              type                       states\n");
    for (size_t i = 0; i < t.rows.count; i++)
        row_line(g, &t.rows.at[i], out);
    strbuf_fmt(out,
               "  = %" PRIu64 " B: locals %" PRIu64 ", fixed %" PRIu64 ", padding %" PRIu64
               "; sharing saves %" PRIu64 " B; children need %" PRIu64 " B",
               g->m->frame_bytes, t.local_bytes, t.field_bytes, t.padding_bytes, t.shared_bytes,
               g->m->child_bytes);
    if (t.worst_state != 0)
        strbuf_fmt(out, " (most: state %u, :%u)", t.worst_state,
                   state_graph_state(g, t.worst_state)->line);
    strbuf_char(out, '\n');
}

/* ---- calls
 * -------------------------------------------------------------------------------------- */

struct call_tree {
    const await_graph *calls;
    strbuf *out;
    bool *shown;
};

static void call_title(const await_graph *calls, const struct await_node *n, strbuf *out)
{
    strbuf_str(out, n->name);
    if (n->kind == AWAIT_ASYNC)
        strbuf_fmt(out, "  %s:%u  own %" PRIu64 " B, deep %s%" PRIu64 " B%s", n->file->shown,
                   n->line, n->own_bytes, n->is_at_least ? "at least " : "", n->deep_bytes,
                   n->is_unbounded ? " a level, no bound" : "");
    else if (n->kind == AWAIT_PLAIN)
        strbuf_fmt(out, "  %s:%u  plain", n->file->shown, n->line);
    else if (n->kind == AWAIT_UNDEFINED)
        strbuf_str(out, "  (defined elsewhere)");
    else if (n->kind == AWAIT_POINTER)
        strbuf_str(out, "  (through a pointer)");
    if (n->may_block)
        strbuf_fmt(out, "  may block%s%s", n->blocks_in == NULL ? "" : " in ",
                   n->blocks_in == NULL ? "" : n->blocks_in);
    (void)calls;
}

static void call_lines(struct call_tree *t, uint32_t node, int depth)
{
    static const char *const verbs[] = {
        [EDGE_AWAIT] = "awaits ", [EDGE_SPAWN] = "spawns ", [EDGE_BLOCK_ON] = "runs "};
    bool again = t->shown[node];
    t->shown[node] = true;
    for (size_t i = 0; i < t->calls->edges.count && !again; i++) {
        const struct await_edge *e = &t->calls->edges.at[i];
        if (e->from != node)
            continue;
        const struct await_node *to = &t->calls->nodes.at[e->to];
        strbuf_fmt(t->out, "%*s%s", 2 * depth + 2, "", verbs[e->kind]);
        if (e->form != NULL)
            strbuf_fmt(t->out, "in %s ", e->form);
        if (e->count > 1)
            strbuf_fmt(t->out, "%u\u00d7 ", e->count);
        call_title(t->calls, to, t->out);
        bool leads = false;
        for (size_t k = 0; k < t->calls->edges.count; k++)
            leads |= t->calls->edges.at[k].from == e->to;
        strbuf_str(t->out, to->cycle != 0 && to->cycle == t->calls->nodes.at[node].cycle
                               ? "  (recursion)\n"
                           : leads && t->shown[e->to] ? "  (see above)\n"
                                                      : "\n");
        call_lines(t, e->to, depth + 1);
    }
}

static void calls_view(const await_graph *calls, strbuf *out)
{
    struct call_tree t = {.calls = calls, .out = out};
    t.shown = ARENA_ARRAY(calls->mem, bool, calls->nodes.count + 1);
    for (int round = 0; round < 2; round++) { /* roots first, then what only recursion reaches */
        for (uint32_t i = 0; i < calls->nodes.count; i++) {
            bool has_caller = false;
            for (size_t k = 0; k < calls->edges.count; k++)
                has_caller |= calls->edges.at[k].to == i && calls->edges.at[k].from != i;
            if (t.shown[i] || calls->nodes.at[i].m == NULL || (round == 0 && has_caller))
                continue;
            call_title(calls, &calls->nodes.at[i], out);
            strbuf_char(out, '\n');
            call_lines(&t, i, 0);
        }
    }
}

void graph_text(const graph_set *set, strbuf *out)
{
    if (set->view == VIEW_CALLS) {
        calls_view(set->calls, out);
        return;
    }
    for (uint32_t i = 0; i < set->function_count; i++) {
        if (i > 0)
            strbuf_char(out, '\n');
        if (set->view == VIEW_FRAME)
            frame_view(set->functions[i], out);
        else
            states_view(set, set->functions[i], out);
    }
    for (size_t i = 0; i < set->removed.count; i++)
        strbuf_fmt(out, "\n- %s (gone)\n", set->removed.at[i]);
}
