/* SPDX-License-Identifier: MIT */
/*
 * Who awaits whom, in DOT, from left to right: functions as boxes with their sizes, leaves as
 * rounded boxes, recursion as dashed clusters. A solid line is an await, a dashed one a spawn, a
 * bold one the way in from plain code; a dotted one goes through a pointer.
 */
#include "analyzer/base/check.h"
#include "analyzer/diagram/dot_text.h"

static void size_row(const await_graph *calls, const struct await_node *n, strbuf *out)
{
    strbuf_fmt(out,
               "<TR><TD ALIGN=\"LEFT\"><FONT POINT-SIZE=\"9\" COLOR=\"" DOT_MUTED
               "\">own %s B   deep %s%s B%s</FONT></TD></TR>",
               dot_bytes(calls->mem, n->own_bytes), n->is_at_least ? "\u2265 " : "",
               dot_bytes(calls->mem, n->deep_bytes), n->is_unbounded ? " a level" : "");
}

static void block_row(const await_graph *calls, const struct await_node *n, strbuf *out)
{
    const char *where =
        n->blocks_in == NULL ? "" : arena_printf(calls->mem, " in %s", n->blocks_in);
    strbuf_str(out, "<TR><TD ALIGN=\"LEFT\" BGCOLOR=\"" DOT_WARNBG
                    "\"><FONT POINT-SIZE=\"9\" COLOR=\"" DOT_WARN "\">! may block");
    dot_html(out, source_shorten(calls->mem, where, 30));
    strbuf_str(out, "</FONT></TD></TR>");
}

static void function_label(const await_graph *calls, const struct await_node *n, strbuf *out)
{
    bool is_async = n->kind == AWAIT_ASYNC;
    strbuf_fmt(out,
               "<<TABLE BORDER=\"%d\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"4\" "
               "BGCOLOR=\"" DOT_PAPER "\" COLOR=\"%s\"%s><TR><TD ALIGN=\"LEFT\" BGCOLOR=\"%s\">"
               "<FONT FACE=\"" DOT_MONO "\" POINT-SIZE=\"11\"><B>",
               n->may_block ? 3 : 1,
               n->may_block ? DOT_WARN
               : is_async   ? DOT_INK
                            : DOT_MUTED,
               is_async ? "" : " STYLE=\"DASHED\"", is_async ? dot_kind_colour("call") : DOT_PAPER);
    dot_html(out, source_shorten(calls->mem, n->name, 36));
    strbuf_str(
        out, "</B></FONT></TD></TR><TR><TD ALIGN=\"LEFT\"><FONT POINT-SIZE=\"9\" COLOR=\"" DOT_MUTED
             "\">");
    dot_html(out, arena_printf(calls->mem, "%s:%u   %s", n->file->shown, n->line,
                               is_async ? arena_printf(calls->mem, "%u state%s", n->m->state_count,
                                                       n->m->state_count == 1 ? "" : "s")
                                        : "plain function"));
    strbuf_str(out, "</FONT></TD></TR>");
    if (is_async)
        size_row(calls, n, out);
    if (n->may_block)
        block_row(calls, n, out);
    strbuf_str(out, "</TABLE>>");
}

static void other_label(const await_graph *calls, const struct await_node *n, strbuf *out)
{
    static const char *const words[] = {[AWAIT_UNDEFINED] = "defined elsewhere",
                                        [AWAIT_LEAF] = "runtime",
                                        [AWAIT_POINTER] = "through a pointer"};
    strbuf_fmt(out, "<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"2\"><TR>"
                    "<TD ALIGN=\"LEFT\"><FONT FACE=\"" DOT_MONO "\" POINT-SIZE=\"10\">");
    dot_html(out, source_shorten(calls->mem, n->name, 36));
    strbuf_fmt(out,
               "</FONT></TD><TD><FONT POINT-SIZE=\"9\" COLOR=\"" DOT_MUTED "\">%s</FONT></TD>"
               "</TR></TABLE>>",
               n->kind == AWAIT_LEAF && n->what != NULL ? n->what : words[n->kind]);
}

enum { MANY_CALLERS = 7 /* a leaf that more functions await is drawn at each of them */ };

/* Is this leaf drawn once for each edge that leads to it? Everybody sleeps: hundreds of long edges
 * to one node hide the rest, and take a layout seconds. */
static bool is_repeated(const await_graph *calls, uint32_t index)
{
    uint32_t callers = 0;
    if (calls->nodes.at[index].m != NULL)
        return false;
    for (size_t i = 0; i < calls->edges.count; i++)
        callers += calls->edges.at[i].to == index;
    return callers > MANY_CALLERS;
}

/* The name of a node in the picture: its own, or that of the drawing beside one of its callers. */
static const char *drawn_id(const await_graph *calls, uint32_t index, uint32_t caller)
{
    const char *id = calls->nodes.at[index].id;
    return caller == AIR_NONE
               ? id
               : arena_printf(calls->mem, "%s_of_%s", id, calls->nodes.at[caller].id);
}

/* caller: of a repeated leaf, the one beside which it is drawn; AIR_NONE: it is drawn once. */
static void print_node(const await_graph *calls, uint32_t index, uint32_t caller, strbuf *out)
{
    const struct await_node *n = &calls->nodes.at[index];
    const char *id = drawn_id(calls, index, caller);
    strbuf_fmt(out, "    %s [id=\"call.%s\", class=\"%s\", tooltip=", id, id,
               n->m != NULL ? "function" : "leaf");
    dot_quoted(out, n->m != NULL ? arena_printf(calls->mem, "deepest: %s",
                                                await_graph_worst_way(calls, index))
                                 : n->name);
    if (n->m != NULL) {
        strbuf_str(out, ", label=");
        function_label(calls, n, out);
    } else {
        strbuf_fmt(out,
                   ", shape=box, style=\"%s\", fillcolor=\"%s\", color=\"" DOT_MUTED
                   "\", margin=\"0.06,0.02\", height=0.3, label=",
                   n->kind == AWAIT_LEAF ? "rounded,filled" : "rounded,dashed,filled",
                   n->kind == AWAIT_LEAF ? dot_kind_colour(n->what) : DOT_PAPER);
        other_label(calls, n, out);
    }
    strbuf_str(out, "];\n");
}

static const char *edge_style(const await_graph *calls, const struct await_edge *e)
{
    if (e->kind == EDGE_SPAWN)
        return "style=dashed, arrowhead=open, ";
    if (e->kind == EDGE_BLOCK_ON)
        return "style=bold, arrowhead=open, ";
    return calls->nodes.at[e->to].kind == AWAIT_POINTER ? "style=dotted, " : "";
}

static const char *edge_label(const await_graph *calls, const struct await_edge *e)
{
    const char *word = e->kind == EDGE_SPAWN      ? "spawn"
                       : e->kind == EDGE_BLOCK_ON ? "block_on"
                       : e->form != NULL          ? e->form
                                                  : "";
    if (e->count <= 1)
        return word;
    return arena_printf(calls->mem, "%s%s%u\u00d7", word, word[0] != '\0' ? " " : "", e->count);
}

static const char *edge_tooltip(const await_graph *calls, const struct await_edge *e)
{
    strbuf out = strbuf_in(calls->mem);
    const char *verb = e->kind == EDGE_SPAWN      ? "spawns"
                       : e->kind == EDGE_BLOCK_ON ? "drives"
                                                  : "awaits";
    dot_quoted(&out,
               arena_printf(calls->mem, "%s %s %s, first at line %u", calls->nodes.at[e->from].name,
                            verb, calls->nodes.at[e->to].name, e->first_line));
    return strbuf_text(&out);
}

/* What stands on an edge is a node between two halves of it, as in dot_edges.c. Within a recursion
 * it stands in its frame, and an edge that leads back is turned around, with its arrow at the tail.
 */
static void print_word(const await_graph *calls, uint32_t index, const char *from, const char *to,
                       strbuf *out)
{
    const struct await_edge *e = &calls->edges.at[index];
    uint32_t cycle = calls->nodes.at[e->from].cycle;
    bool is_inner = cycle != 0 && cycle == calls->nodes.at[e->to].cycle;
    bool is_self = e->from == e->to, turns = is_inner && e->from > e->to;
    const char *style = edge_style(calls, e), *tip = edge_tooltip(calls, e);
    const char *id = arena_printf(calls->mem, "call.%s.%s", from, to);
    const char *cluster =
        is_inner ? arena_printf(calls->mem, "subgraph cluster_r%u { ", cycle) : "";
    strbuf_fmt(out,
               "  %sw%u [class=\"word\", fontsize=10, margin=\"0.03,0.02\", height=0.2, width=0.1, "
               "id=\"%s.word\", tooltip=%s, label=\"%s\"];%s\n",
               cluster, index, id, tip, edge_label(calls, e), is_inner ? " }" : "");
    const char *left = is_self ? "" : ":w", *right = is_self ? "" : ":e";
    if (turns)
        strbuf_fmt(out, "  w%u%s -> %s", index, right, from);
    else
        strbuf_fmt(out, "  %s -> w%u%s", from, index, left);
    strbuf_fmt(out, " [%sdir=none, id=\"%s.tail\", tooltip=%s];\n", style, id, tip);
    if (turns || is_self)
        strbuf_fmt(out, "  %s -> w%u%s [dir=back, ", to, index, left);
    else
        strbuf_fmt(out, "  w%u%s -> %s [", index, right, to);
    strbuf_fmt(out, "%sid=\"%s\", tooltip=%s];\n", style, id, tip);
}

static void print_edge(const await_graph *calls, uint32_t index, strbuf *out)
{
    const struct await_edge *e = &calls->edges.at[index];
    uint32_t caller = is_repeated(calls, e->to) ? e->from : AIR_NONE;
    const char *from = calls->nodes.at[e->from].id, *to = drawn_id(calls, e->to, caller);
    if (edge_label(calls, e)[0] != '\0')
        print_word(calls, index, from, to, out);
    else
        strbuf_fmt(out, "  %s -> %s [%sid=\"call.%s.%s\", tooltip=%s];\n", from, to,
                   edge_style(calls, e), from, to, edge_tooltip(calls, e));
}

static bool is_wanted(const graph_set *set, const await_graph *calls, uint32_t node)
{
    const struct await_node *n = &calls->nodes.at[node];
    (void)set;
    if (n->m != NULL)
        return true;
    for (size_t i = 0; i < calls->edges.count; i++) {
        if (calls->edges.at[i].to == node)
            return true;
    }
    return false;
}

void dot_calls(const graph_set *set, strbuf *out)
{
    const await_graph *calls = set->calls;
    for (uint32_t cycle = 1; cycle <= calls->cycle_count; cycle++) {
        strbuf_fmt(out,
                   "  subgraph cluster_r%u {\n    style=\"dashed,rounded\"; color=\"" DOT_MUTED
                   "\"; fontcolor=\"" DOT_MUTED
                   "\"; fontsize=9; labeljust=l; margin=12; label=\"recursion\";\n",
                   cycle);
        for (uint32_t i = 0; i < calls->nodes.count; i++) {
            if (calls->nodes.at[i].cycle == cycle)
                print_node(calls, i, AIR_NONE, out);
        }
        strbuf_str(out, "  }\n");
    }
    for (uint32_t i = 0; i < calls->nodes.count; i++) {
        bool is_own = calls->nodes.at[i].cycle == 0 && !is_repeated(calls, i);
        if (is_own && is_wanted(set, calls, i))
            print_node(calls, i, AIR_NONE, out);
    }
    for (uint32_t i = 0; i < calls->edges.count; i++) {
        const struct await_edge *e = &calls->edges.at[i];
        bool is_first =
            i == 0 || calls->edges.at[i - 1].from != e->from || calls->edges.at[i - 1].to != e->to;
        if (is_repeated(calls, e->to) && is_first)
            print_node(calls, e->to, e->from, out);
        print_edge(calls, i, out);
    }
}
